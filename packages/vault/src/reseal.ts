import { UnknownKey } from './unknown-key';
import type { Vault } from './vault';

const PAGE = 100;

/** Rows that hold sealed values, as their store offers them. */
export interface SealedRows<Row extends { _id: string }> {
  /** Rows with a value under another key than this one, in the order of their ids, after `afterId`. */
  sealedWithOtherKey(keyId: string, afterId: string, limit: number): Promise<Row[]>;
  /** Seals the values anew and writes them, if they are still those that were read. */
  reseal(row: Row): Promise<unknown>;
}

export interface Resealed {
  resealed: number;
  /** Ids of rows that no known key opens: their key was taken away before they were sealed anew. */
  unreadable: string[];
}

/**
 * Encrypts with the current key what other keys encrypted, so that these may go. A row that cannot be read does not keep
 * the others waiting. Repeatable, and harmless beside another process that does the same.
 */
export async function resealAll<Row extends { _id: string }>(
  vault: Vault,
  rows: SealedRows<Row>,
): Promise<Resealed> {
  const outcome: Resealed = { resealed: 0, unreadable: [] };
  let afterId = '';
  for (;;) {
    const page = await rows.sealedWithOtherKey(vault.currentKeyId, afterId, PAGE);
    for (const row of page) {
      try {
        await rows.reseal(row);
        outcome.resealed += 1;
      } catch (error) {
        if (!(error instanceof UnknownKey)) throw error;
        outcome.unreadable.push(row._id);
      }
    }
    if (page.length < PAGE) return outcome;
    afterId = page.at(-1)!._id;
  }
}

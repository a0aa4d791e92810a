import type { SealedRows } from './sealed-rows';
import { Unreadable } from './unreadable';
import type { Vault } from './vault';

const PAGE = 100;

interface Resealed {
  resealed: number;
  /** Ids of rows that no known key opens: their key was taken away before they were sealed anew, or they were damaged. */
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
    const page = await rows.underOtherKey(vault.currentKeyId, afterId, PAGE);
    for (const row of page) {
      try {
        await rows.reseal(row, vault);
        outcome.resealed += 1;
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error;
        outcome.unreadable.push(row._id);
      }
    }
    if (page.length < PAGE) return outcome;
    afterId = page.at(-1)!._id;
  }
}

import { currentContext } from '@laurel/lifecycle';
import { isDuplicateKey } from './errors';
import type { CollectionIndexes } from './indexes';

const NAME_OF_INDEX = 'key_unique';

/** What files call the things of a collection is theirs alone, kind by kind; most have no key, and no column for it. */
export const KEY_INDEX: CollectionIndexes['indexes'][number] = {
  key: { workspace_id: 1, key: 1 },
  name: NAME_OF_INDEX,
  unique: true,
  partialFilterExpression: { key: { $exists: true } },
};

/** A document as it is stored: without a column where there is no key, which the index would take for one. */
export function withoutMissingKey<D extends { key?: string | null }>(
  document: D,
): Omit<D, 'key'> & { key?: string } {
  const { key, ...columns } = document;
  return key === null || key === undefined ? columns : { ...columns, key };
}

/**
 * The key of a thing after a change that may name one (`undefined`: it names none). Another than it has is what somebody
 * asks for who says which version it follows (docs/adr/0034), and so has seen the one that ends; who has not is
 * refused, since files know the thing by it. It is never taken away.
 */
export function keyAfter(
  current: string | null | undefined,
  wanted: string | null | undefined,
  refusal: () => Error,
): string | null {
  const kept = current ?? null;
  if (wanted === undefined || wanted === kept) return kept;
  const isSeen = Array.isArray(currentContext().condition);
  if (kept !== null && (wanted === null || !isSeen)) throw refusal();
  return wanted;
}

/** What is written; where its key is another's already, what `refusal` makes is thrown instead of the store's fault. */
export async function refuseTakenKey<T>(written: Promise<T>, refusal: () => Error): Promise<T> {
  try {
    return await written;
  } catch (error) {
    if (isDuplicateKey(error) && String((error as Error).message).includes(NAME_OF_INDEX))
      throw refusal();
    throw error;
  }
}

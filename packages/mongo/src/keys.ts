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

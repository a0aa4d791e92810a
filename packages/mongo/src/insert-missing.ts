import type { mongo } from 'mongoose';
import { refusedAsDuplicates } from './errors';
import type { Rows } from './rows';

/**
 * Adds those that are not there yet; repeating it is harmless, and so is another who adds the same. Where many are there
 * already, look first: an insert that meets duplicates is dear.
 */
export async function insertMissing<Document extends object>(
  rows: Pick<Rows<Document>, 'insertMany'>,
  documents: readonly Document[],
): Promise<void> {
  if (documents.length === 0) return;
  const missing = [...documents] as mongo.OptionalUnlessRequiredId<Document>[];
  await refusedAsDuplicates(() => rows.insertMany(missing, { ordered: false }));
}

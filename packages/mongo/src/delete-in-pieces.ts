import type { Connection } from 'mongoose';

const PIECE = 5_000;

/** What is to go. */
export type Doomed = Readonly<Record<string, unknown>>;

/**
 * Deletes some of whatever a filter finds: a workspace of millions of rows holds no lock for minutes, and a run that is stopped
 * on the way leaves less for the next try. Of a row that has changed meanwhile the filter decides once more.
 */
export async function deletePiece(
  connection: Connection,
  collection: string,
  filter: Doomed,
): Promise<{ found: number; more: boolean }> {
  const rows = connection.collection<{ _id: string }>(collection);
  const piece = await rows
    .find(filter, { projection: { _id: 1 } })
    .limit(PIECE)
    .toArray();
  if (piece.length > 0)
    await rows.deleteMany({ ...filter, _id: { $in: piece.map(({ _id }) => _id) } });
  return { found: piece.length, more: piece.length === PIECE };
}

/** Deletes all that a filter finds, a piece at a time. */
export async function deleteInPieces(
  connection: Connection,
  collection: string,
  filter: Doomed,
): Promise<void> {
  while ((await deletePiece(connection, collection, filter)).more);
}

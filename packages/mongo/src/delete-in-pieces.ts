import type { Connection } from 'mongoose';

const PIECE = 5_000;

/**
 * Deletes whatever a filter finds, a piece at a time: a workspace of millions of rows holds no lock for minutes, and whoever
 * is stopped on the way leaves less for the next try.
 */
export async function deleteInPieces(
  connection: Connection,
  collection: string,
  filter: Readonly<Record<string, unknown>>,
): Promise<void> {
  const rows = connection.collection<{ _id: string }>(collection);
  for (;;) {
    const piece = await rows
      .find(filter, { projection: { _id: 1 } })
      .limit(PIECE)
      .toArray();
    if (piece.length > 0) {
      const those = { ...filter, _id: { $in: piece.map(({ _id }) => _id) } };
      await rows.deleteMany(those);
    }
    if (piece.length < PIECE) return;
  }
}

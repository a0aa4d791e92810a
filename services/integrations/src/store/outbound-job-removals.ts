import { type Connection, type Rows, removeOlder, type Session } from '@laurel/mongo';
import { type OutboundJobRow, outboundJobs } from './outbound-job-rows';

/** So many go in one transaction. */
const PIECE = 1_000;

/** What of the jobs goes, other than one by one. */
export const createRemovals = (connection: Connection, rows: Rows<OutboundJobRow>) => ({
  /** Removes a piece of an integration's jobs; says whether more are left. */
  async removePiece(
    workspaceId: string,
    provider: string,
    session: Session,
  ): Promise<{ more: boolean }> {
    const own = rows.of(workspaceId);
    const piece = await own
      .find({ provider }, { projection: { _id: 1 }, session })
      .limit(PIECE)
      .toArray();
    if (piece.length > 0)
      await own.deleteMany({ _id: { $in: piece.map(({ _id }) => _id) } }, { session });
    return { more: piece.length === PIECE };
  },

  /**
   * Removes a piece of those that had nothing more to tell before a moment; says whether more are left. A row is made again
   * when there is something to tell. What is owed stays, however long: it may be that somebody is to be forgotten; but for
   * what no system can hear, which would keep their id for no use.
   */
  removeTold: (before: Date): Promise<{ more: boolean }> =>
    removeOlder(connection, {
      collection: outboundJobs.collection,
      column: 'updated_at',
      before,
      where: { $or: [{ status: 'done' }, { unaddressed: true }] },
    }),
});

import { newId } from '@laurel/lifecycle';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import type { Move } from '../domain/member';

const COLLECTION = 'tier_history';

export const historyIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1, client_id: 1, _id: -1 }, name: 'of_client' }],
};

/** Why a client's tier changed. */
export type Reason =
  | 'activity'
  | 'enrollment'
  | 'assigned'
  | 'unassigned'
  | 'expired'
  | 'periodic'
  | 'resync'
  | 'merged'
  | 'anonymized';

export interface HistoryDocument {
  _id: string;
  workspace_id: string;
  client_id: string;
  from_tier_id: string | null;
  to_tier_id: string | null;
  reason: Reason;
  at: Date;
}

/** Every change of tier of every client. Holds ids only. */
export function createHistoryStore(connection: Connection) {
  const history = connection.collection<HistoryDocument>(COLLECTION);

  return {
    async insertAll(
      workspaceId: string,
      moves: readonly { move: Move; reason: Reason }[],
      session: Session,
    ): Promise<void> {
      if (moves.length === 0) return;
      const rows = moves.map(({ move, reason }) => ({
        _id: newId(),
        workspace_id: workspaceId,
        client_id: move.clientId,
        from_tier_id: move.from?.id ?? null,
        to_tier_id: move.to?.id ?? null,
        reason,
        at: move.at,
      }));
      await history.insertMany(rows, { session });
    },

    /** Newest first. */
    async list(
      workspaceId: string,
      clientId: string,
      limit: number,
    ): Promise<Omit<HistoryDocument, '_id'>[]> {
      return history
        .find({ workspace_id: workspaceId, client_id: clientId })
        .sort({ _id: -1 })
        .limit(limit)
        .toArray();
    },

    async moveToClient(
      workspaceId: string,
      from: string,
      to: string,
      session: Session,
    ): Promise<void> {
      const filter = { workspace_id: workspaceId, client_id: from };
      await history.updateMany(filter, { $set: { client_id: to } }, { session });
    },

    async removeOfClient(workspaceId: string, clientId: string, session: Session): Promise<void> {
      await history.deleteMany({ workspace_id: workspaceId, client_id: clientId }, { session });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await history.deleteMany({ workspace_id: workspaceId });
    },
  };
}

import type { TierReason } from '@laurel/contract';
import { newId } from '@laurel/lifecycle';
import { type Connection, collection, type Session } from '@laurel/mongo';
import type { Move } from '../domain/member';

export interface HistoryDocument {
  _id: string;
  workspace_id: string;
  client_id: string;
  from_tier_id: string | null;
  to_tier_id: string | null;
  reason: TierReason;
  at: Date;
}

/** Ids only. */
export const history = collection<HistoryDocument>('tier_history', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'moves',
    anonymized: 'stays: tiers beside an id',
    deleted: 'goes',
    exported: 'shown',
  },
  growth: {
    per: 'move',
    end: 'stays: listed; ids only',
    shardKey: ['workspace_id', 'client_id'],
  },
  indexes: [{ key: { workspace_id: 1, client_id: 1, _id: -1 }, name: 'of_client' }],
});

/** Every change of tier of every client. */
export function createHistoryStore(connection: Connection) {
  const rows = history.open(connection);

  return {
    async insertAll(
      workspaceId: string,
      moves: readonly { move: Move; reason: TierReason }[],
      session: Session,
    ): Promise<void> {
      if (moves.length === 0) return;
      const added = moves.map(({ move, reason }) => ({
        _id: newId(),
        workspace_id: workspaceId,
        client_id: move.clientId,
        from_tier_id: move.from?.id ?? null,
        to_tier_id: move.to?.id ?? null,
        reason,
        at: move.at,
      }));
      await rows.insertMany(added, { session });
    },

    /** Newest first. */
    async list(
      workspaceId: string,
      clientId: string,
      limit: number,
    ): Promise<Omit<HistoryDocument, '_id'>[]> {
      return rows
        .of(workspaceId)
        .find({ client_id: clientId })
        .sort({ _id: -1 })
        .limit(limit)
        .toArray();
    },
  };
}

import { type CollectionIndexes, type Connection, orStale, type Session } from '@laurel/mongo';

const COLLECTION = 'resends';
const KEPT_MS = 2 * 86_400_000;

export const resendIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    { key: { expires_at: 1 }, name: 'expires_at_ttl', expireAfterSeconds: 0 },
    { key: { workspace_id: 1 }, name: 'of_workspace' },
  ],
};

/** How often the links of a pass were mailed on one day (UTC). */
interface ResendDocument {
  _id: string;
  workspace_id: string;
  count: number;
  expires_at: Date;
}

export function createResendStore(connection: Connection) {
  const resends = connection.collection<ResendDocument>(COLLECTION);

  return {
    /** Counts one more for today, in the transaction that sends it; false where `max` are reached. */
    async count(
      workspaceId: string,
      passId: string,
      { now, max }: { now: Date; max: number },
      session: Session,
    ): Promise<boolean> {
      const _id = `${passId}:${now.toISOString().slice(0, 10)}`;
      const known = await resends.findOne({ _id }, { session });
      if (known && known.count >= max) return false;
      const expiry = { workspace_id: workspaceId, expires_at: new Date(now.getTime() + KEPT_MS) };
      const counted = resends.updateOne(
        { _id },
        { $inc: { count: 1 }, $setOnInsert: expiry },
        { upsert: true, session },
      );
      await orStale('the count', counted);
      return true;
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await resends.deleteMany({ workspace_id: workspaceId });
    },
  };
}

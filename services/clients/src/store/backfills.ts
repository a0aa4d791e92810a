import type { Connection } from '@laurel/mongo';

const COLLECTION = 'backfills';
/** Another name makes all profiles anew. */
const PROFILES = 'profiles 1';

interface BackfillDocument {
  _id: string;
  /** The last client that was seen to. */
  after: string;
  done: boolean;
}

/** How far this service is with what it has to make once of clients that were there before. */
export function createBackfillStore(connection: Connection) {
  const backfills = connection.collection<BackfillDocument>(COLLECTION);

  return {
    /** The client after which to go on; null when all is done. */
    async position(): Promise<string | null> {
      const row = await backfills.findOne({ _id: PROFILES });
      return row?.done ? null : (row?.after ?? '');
    },

    async advance(after: string): Promise<void> {
      const change = { $set: { after, done: false } };
      await backfills.updateOne({ _id: PROFILES }, change, { upsert: true });
    },

    async finish(): Promise<void> {
      await backfills.updateOne({ _id: PROFILES }, { $set: { done: true } }, { upsert: true });
    },
  };
}

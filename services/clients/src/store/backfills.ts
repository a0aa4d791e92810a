import { type Connection, collection } from '@laurel/mongo';

/** Another name makes all profiles anew. */
const PROFILES = 'profiles 2';

interface BackfillDocument {
  _id: string;
  /** The last client that was seen to. */
  after: string;
  done: boolean;
}

export const backfills = collection<BackfillDocument>('backfills', {
  tenant: 'none: how far this service is with the clients of all',
  person: 'nobody',
  growth: {
    per: 'once',
    end: 'stays: one row for each thing that is made once',
    shardKey: 'whole',
  },
  indexes: [],
});

/** How far this service is with what it has to make once of clients that were there before. */
export function createBackfillStore(connection: Connection) {
  const rows = backfills.open(connection).ofEverybody;

  return {
    /** The client after which to go on; null when all is done. */
    async position(): Promise<string | null> {
      const row = await rows.findOne({ _id: PROFILES });
      return row?.done ? null : (row?.after ?? '');
    },

    async advance(after: string): Promise<void> {
      const change = { $set: { after, done: false } };
      await rows.updateOne({ _id: PROFILES }, change, { upsert: true });
    },

    async finish(): Promise<void> {
      await rows.updateOne({ _id: PROFILES }, { $set: { done: true } }, { upsert: true });
    },
  };
}

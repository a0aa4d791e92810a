import { type Connection, collection, type Session } from '@laurel/mongo';

/** Another name makes all profiles anew. */
const PROFILES = 'profiles 4';

interface BackfillDocument {
  _id: string;
  /** Where a release goes on that knows no pages: where one before this left off, until all is done. */
  after: string;
  /** The last client who stands in a page. */
  read?: string;
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
    /** The client after whom to read on; null when all is done. */
    async position(): Promise<string | null> {
      const row = await rows.findOne({ _id: PROFILES });
      if (row?.done) return null;
      const { after = '', read = '' } = row ?? {};
      return [after, read].sort().at(-1)!;
    },

    /** Reading has come to a client, in the session that leaves the page. */
    async readTo(read: string, session: Session): Promise<void> {
      const change = { $max: { read }, $setOnInsert: { after: '', done: false } };
      await rows.updateOne({ _id: PROFILES }, change, { upsert: true, session });
    },

    async finish(): Promise<void> {
      await rows.updateOne({ _id: PROFILES }, { $set: { done: true } }, { upsert: true });
    },
  };
}

import { newId } from '@laurel/lifecycle';
import {
  type Connection,
  collection,
  type Erasure,
  isDuplicateKey,
  type Unit,
} from '@laurel/mongo';
import { TELLS_ERASURE } from '../domain/retention';

const SCAN_BATCH = 50;

/** An event under its number in the feed of a workspace. */
export interface FeedEntryRow {
  _id: string;
  workspace_id: string;
  feed: string;
  /** 1, 2, 3 … without a gap. */
  sequence: number;
  event_id: string;
  /** The name under which webhooks carry it. */
  type: string;
  subject: string;
  occurred_at: Date;
  /** What readers get; null once its person was erased: the number stays, so that no reader looks for it. */
  body: string | null;
  expires_at: Date;
}

export type NewFeedEntry = Omit<FeedEntryRow, '_id' | 'workspace_id' | 'feed' | 'sequence'>;

export const feedEntries = collection<FeedEntryRow>('event_feed_entries', {
  tenant: 'workspace_id',
  person: {
    column: 'subject',
    merged: 'moves',
    anonymized: blank,
    deleted: 'as anonymized',
    exported: 'withheld: a copy of what those show who keep it',
  },
  growth: {
    per: 'event and feed',
    end: 'RETENTION_WEBHOOK_EVENTS_DAYS (35)',
    shardKey: ['workspace_id', 'feed', 'sequence'],
    wayOut: {
      event_unique: 'the sequence of the event as `_id`, made of the feed and the event',
    },
  },
  indexes: [
    { key: { workspace_id: 1, feed: 1, sequence: 1 }, name: 'sequence_unique', unique: true },
    { key: { workspace_id: 1, feed: 1, event_id: 1 }, name: 'event_unique', unique: true },
    { key: { workspace_id: 1, subject: 1 }, name: 'subject' },
    { key: { expires_at: 1 }, name: 'expires_ttl', expireAfterSeconds: 0 },
  ],
});

export function createFeedEntryStore(connection: Connection) {
  const rows = feedEntries.open(connection);
  const order = { workspace_id: 1, feed: 1, sequence: 1 } as const;

  const edge = async (workspaceId: string, feed: string, direction: 1 | -1) => {
    const sort = { workspace_id: direction, feed: direction, sequence: direction };
    const row = await rows.of(workspaceId).findOne({ feed }, { sort, projection: { sequence: 1 } });
    return row?.sequence ?? null;
  };

  return {
    /** The lowest number that is kept; null where none is. */
    first: (workspaceId: string, feed: string) => edge(workspaceId, feed, 1),
    /** The highest number that is kept; null where none is. */
    last: (workspaceId: string, feed: string) => edge(workspaceId, feed, -1),

    /** Which of the events have a number already. */
    async known(
      workspaceId: string,
      feed: string,
      eventIds: readonly string[],
    ): Promise<Set<string>> {
      const found = await rows
        .of(workspaceId)
        .find({ feed, event_id: { $in: [...eventIds] } }, { projection: { event_id: 1 } })
        .toArray();
      return new Set(found.map((row) => row.event_id));
    },

    /**
     * Adds entries behind number `last`, in their order. False where another writer has taken one of the numbers, or
     * written one of the events: what comes before it stays, so that there is never a gap.
     */
    async append(
      workspaceId: string,
      { feed, last }: { feed: string; last: number },
      entries: readonly NewFeedEntry[],
    ): Promise<boolean> {
      const numbered = entries.map((entry, index) => ({
        ...entry,
        _id: newId(),
        workspace_id: workspaceId,
        feed,
        sequence: last + 1 + index,
      }));
      try {
        await rows.insertMany(numbered, { ordered: true });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },

    /** What comes after a number, in order. */
    after: (workspaceId: string, feed: string, sequence: number): AsyncIterable<FeedEntryRow> =>
      rows
        .of(workspaceId)
        .find({ feed, sequence: { $gt: sequence } }, { batchSize: SCAN_BATCH })
        .sort(order),
  };
}

/** Takes what concerns a person out of the entries: the numbers stay. Repeating it changes nothing. */
async function blank({ rows, session }: Unit<FeedEntryRow>, { clientId }: Erasure): Promise<void> {
  const personal = { subject: clientId, type: { $nin: [...TELLS_ERASURE] }, body: { $ne: null } };
  await rows.updateMany(personal, { $set: { body: null } }, { session });
}

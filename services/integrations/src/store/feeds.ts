import { newId } from '@laurel/lifecycle';
import { type Connection, collection, isDuplicateKey } from '@laurel/mongo';

/** That somebody follows what happens in a workspace: only then is it kept for them. */
export interface FeedRow {
  /** Id of the workspace. */
  _id: string;
  /** Names this run of numbers; one that began anew after a long time without a reader has another. */
  feed: string;
  /** The last number given; the entries may be ahead by those of a write that has just been made. */
  sequence: number;
  /** Until when entries are added without a reader. */
  read_until: Date;
}

export const feeds = collection<FeedRow>('event_feeds', {
  tenant: '_id',
  person: 'nobody',
  clone: 'left: made anew by who reads it',
  growth: {
    per: 'feed that is read',
    end: 'when nobody reads it any more',
    shardKey: 'whole',
  },
  indexes: [{ key: { read_until: 1 }, name: 'read_until_ttl', expireAfterSeconds: 0 }],
});

export type FeedStore = ReturnType<typeof createFeedStore>;

export function createFeedStore(connection: Connection) {
  const rows = feeds.open(connection);

  const find = (workspaceId: string, now: Date) =>
    rows.of(workspaceId).findOne({ read_until: { $gt: now } });

  return {
    /** The feed of a workspace, begun if there is none; it is kept at least until `until`. */
    async open(workspaceId: string, { now, until }: { now: Date; until: Date }): Promise<FeedRow> {
      for (;;) {
        const known = await find(workspaceId, now);
        if (known) return known;
        await rows.of(workspaceId).deleteOne({ read_until: { $lte: now } });
        const begun = { _id: workspaceId, feed: newId(), sequence: 0, read_until: until };
        try {
          await rows.insertOne(begun);
          return begun;
        } catch (error) {
          // Somebody else began it in the meantime.
          if (!isDuplicateKey(error)) throw error;
        }
      }
    },

    /** Those of the workspaces that have a feed. */
    among: (workspaceIds: readonly string[], now: Date) =>
      rows.ofEverybody
        .find({ _id: { $in: [...workspaceIds] }, read_until: { $gt: now } })
        .toArray(),

    keepUntil: (workspaceId: string, feed: string, until: Date) =>
      rows.of(workspaceId).updateOne({ feed }, { $max: { read_until: until } }),

    advance: (workspaceId: string, feed: string, sequence: number) =>
      rows.of(workspaceId).updateOne({ feed }, { $max: { sequence } }),
  };
}

import { type Connection, collection, isDuplicateKey, type Rows } from '@laurel/mongo';
import { createDueTimes, createTurns, type DueTimes, dueIndex } from '@laurel/work';

const DUE = { column: 'due_at' };
const FREE = new Date(0);
/** Lanes of one workspace that are looked at together at most: others have theirs, however many it has. */
const SHARE = 100;

/** Who sends to a webhook at the moment: one process at a time, so that order and limits need no further locks. */
export interface LaneRow {
  /** Id of the webhook. */
  _id: string;
  workspace_id: string;
  owner: string | null;
  lease_until: Date;
  /** When there is something to send; null when there is nothing. */
  due_at: Date | null;
  /** Grows whenever somebody has added work; a lane is given back only if it stood still. */
  nudges: number;
}

export const lanes = collection<LaneRow>('webhook_lanes', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'left: made anew by the first delivery',
  growth: {
    per: 'webhook',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [
    dueIndex(DUE),
    { key: { owner: 1 }, name: 'owner' },
    { key: { workspace_id: 1 }, name: 'workspace' },
  ],
});

export type LaneStore = ReturnType<typeof createLaneStore>;

/** Leases on webhooks' queues, shared by all replicas. */
export function createLaneStore(connection: Connection) {
  const rows = lanes.open(connection);
  const due = createDueTimes(connection, lanes.collection, DUE);

  return {
    /** When lanes have something to send. */
    due,
    ...createLeases(rows, due),
    dueAndFree: createDueAndFree(connection, rows),

    /** Tells the replica that holds the lane, or will hold it next, that there is work; false when there is no such lane. */
    async nudge(workspaceId: string, webhookId: string): Promise<boolean> {
      const { matchedCount } = await rows
        .of(workspaceId)
        .updateOne({ _id: webhookId }, { $inc: { nudges: 1 }, $set: { due_at: new Date() } });
      return matchedCount === 1;
    },

    nudgesOf: async (webhookId: string): Promise<number> =>
      (await rows.ofEverybody.findOne({ _id: webhookId }, { projection: { nudges: 1 } }))?.nudges ??
      0,

    dueAt: async (webhookId: string): Promise<Date | null> =>
      (await rows.ofEverybody.findOne({ _id: webhookId }, { projection: { due_at: 1 } }))?.due_at ??
      null,

    remove: (webhookId: string) => rows.ofEverybody.deleteOne({ _id: webhookId }),
  };
}

/** Who sends to which webhook. */
function createLeases(rows: Rows<LaneRow>, due: DueTimes) {
  return {
    /** Takes a lane that is free; null when a replica holds it. */
    async take(
      workspaceId: string,
      webhookId: string,
      { owner, leaseMs }: { owner: string; leaseMs: number },
    ): Promise<LaneRow | null> {
      const now = new Date();
      try {
        return await rows.of(workspaceId).findOneAndUpdate(
          { _id: webhookId, lease_until: { $lte: now } },
          {
            $set: { owner, lease_until: new Date(now.getTime() + leaseMs), due_at: now },
            $setOnInsert: { nudges: 0 },
          },
          { upsert: true, returnDocument: 'after' },
        );
      } catch (error) {
        if (isDuplicateKey(error)) return null;
        throw error;
      }
    },

    /** Gives a lane back; false when somebody nudged it since `nudges` was read, or it is another's. */
    async release(
      webhookId: string,
      { owner, nudges, dueAt }: { owner: string; nudges: number; dueAt: Date | null },
    ): Promise<boolean> {
      const { modifiedCount } = await rows.ofEverybody.updateOne(
        { _id: webhookId, owner, nudges },
        { $set: { owner: null, lease_until: FREE, due_at: dueAt } },
      );
      if (dueAt) due.wake(undefined, dueAt);
      return modifiedCount === 1;
    },

    /** Gives all lanes of a stopping process back as they are. */
    releaseAll: (owner: string) =>
      rows.ofEverybody.updateMany(
        { owner },
        { $set: { owner: null, lease_until: FREE, due_at: new Date() } },
      ),

    /** Prolongs the leases and names the lanes that are still this owner's. */
    async renew(owner: string, leaseMs: number): Promise<Set<string>> {
      await rows.ofEverybody.updateMany(
        { owner },
        { $set: { lease_until: new Date(Date.now() + leaseMs) } },
      );
      const mine = await rows.ofEverybody
        .find({ owner }, { projection: { _id: 1 }, batchSize: 5_000 })
        .toArray();
      return new Set(mine.map(({ _id }) => _id));
    },
  };
}

/** Free lanes with work; workspaces take turns. */
function createDueAndFree(connection: Connection, rows: Rows<LaneRow>) {
  const dueInTurns = createTurns(connection, lanes.collection, DUE);

  return async (count: number) => {
    const now = new Date();
    const room = { count, share: SHARE, inHand: new Map<string, number>() };
    const ids = (await dueInTurns(now, room, { lease_until: { $lte: now } })).map(({ id }) => id);
    if (ids.length === 0) return [];
    return rows.ofEverybody
      .find({ _id: { $in: ids } }, { projection: { workspace_id: 1 } })
      .toArray();
  };
}

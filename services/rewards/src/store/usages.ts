import { Neighbours } from '@laurel/lifecycle';
import {
  beneath,
  type Connection,
  collection,
  isDuplicateKey,
  type Merge,
  type Rows,
  refusedAsDuplicates,
  type Session,
  type Unit,
} from '@laurel/mongo';

/** How often one client used one reward; the marks are those of redemptions on their way. */
interface UsageDocument {
  /** `<reward>:<client>` */
  _id: string;
  workspace_id: string;
  reward_id: string;
  client_id: string;
  used: number;
  marks: string[];
}

export const usages = collection<UsageDocument>('usages', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: addUp,
    anonymized: 'stays: a number beside an id',
    deleted: 'as anonymized',
    exported: 'withheld: the redemptions say the same',
  },
  growth: {
    per: 'reward and client',
    end: 'stays: what says that a limit is reached',
    shardKey: 'hashed _id',
  },
  indexes: [{ key: { workspace_id: 1, client_id: 1 }, name: 'client' }],
});

export interface UsageKey {
  rewardId: string;
  clientId: string;
}

const idOf = ({ rewardId, clientId }: UsageKey): string => `${rewardId}:${clientId}`;

export function createUsageStore(connection: Connection) {
  const rows = usages.open(connection);
  const reserving = new Neighbours<Use, boolean>((waiting) =>
    reserveEach(
      rows,
      waiting.map(({ item }) => item),
    ),
  );

  return {
    async countOf(workspaceId: string, key: UsageKey): Promise<number> {
      const filter = { _id: idOf(key) };
      return (await rows.of(workspaceId).findOne(filter, { projection: { used: 1 } }))?.used ?? 0;
    },

    /** Uses by reward, for one client. */
    async countsOf(workspaceId: string, clientId: string): Promise<Map<string, number>> {
      const options = { projection: { marks: 0 } };
      const found = await rows.of(workspaceId).find({ client_id: clientId }, options).toArray();
      return new Map(found.map(({ reward_id, used }) => [reward_id, used]));
    },

    /** Takes one use of the client's share; false when the limit is reached. Repeatable for the same mark. */
    async reserve(
      workspaceId: string,
      key: UsageKey,
      { limit, mark }: { limit: number | null; mark: string },
    ): Promise<boolean> {
      return limit !== 0 && reserving.run(workspaceId, { workspaceId, key, limit, mark });
    },

    /** Gives a reservation back wherever a merge may have carried it; does nothing without its mark. */
    async release(workspaceId: string, keys: readonly UsageKey[], mark: string): Promise<void> {
      await rows
        .of(workspaceId)
        .updateMany(
          { _id: { $in: keys.map(idOf) }, marks: mark },
          { $inc: { used: -1 }, $pull: { marks: mark } },
        );
    },

    /** Makes reservations final, wherever a merge may have carried them. */
    async settleAll(
      workspaceId: string,
      keys: readonly UsageKey[],
      marks: readonly string[],
    ): Promise<void> {
      const filter = { _id: { $in: keys.map(idOf) }, marks: { $in: [...marks] } };
      await rows.of(workspaceId).updateMany(filter, { $pullAll: { marks: [...marks] } });
    },

    /** Gives a final use back, in the unit of work that cancels its redemption. */
    async giveBack(workspaceId: string, key: UsageKey, session: Session): Promise<void> {
      const filter = { _id: idOf(key), used: { $gt: 0 } };
      await rows.of(workspaceId).updateOne(filter, { $inc: { used: -1 } }, { session });
    },

    async removeReward(workspaceId: string, rewardId: string, session: Session): Promise<void> {
      // By their ids, which begin with it: there is no index by reward alone.
      await rows
        .of(workspaceId)
        .deleteMany({ _id: beneath(rewardId), reward_id: rewardId }, { session });
    },
  };
}

/** One use that is to be taken. */
interface Use {
  workspaceId: string;
  key: UsageKey;
  limit: number | null;
  mark: string;
}

/** In one command, in an order that all replicas keep; what meets another of the same client is looked at alone. */
async function reserveEach(rows: Rows<UsageDocument>, uses: readonly Use[]): Promise<boolean[]> {
  const ordered = [...uses].sort((a, b) => (idOf(a.key) < idOf(b.key) ? -1 : 1));
  const writes = ordered.map((use) => ({ updateOne: { ...taking(use), upsert: true } }));
  const refused = await refusedAsDuplicates(() => rows.bulkWrite(writes, { ordered: false }));
  const alone = new Set(ordered.filter((_, place) => refused.has(place)));
  return Promise.all(uses.map((use) => !alone.has(use) || reserveAlone(rows, use)));
}

function taking({ workspaceId, key, limit, mark }: Use) {
  return {
    filter: {
      _id: idOf(key),
      workspace_id: workspaceId,
      marks: { $ne: mark },
      ...(limit === null ? {} : { used: { $lt: limit } }),
    },
    update: {
      $setOnInsert: { reward_id: key.rewardId, client_id: key.clientId },
      $inc: { used: 1 },
      $push: { marks: mark },
    },
  };
}

async function reserveAlone(rows: Rows<UsageDocument>, use: Use): Promise<boolean> {
  const { workspaceId, key, limit, mark } = use;
  for (;;) {
    // The document is there: it bears the mark, it is full, or somebody made it just now.
    const current = await rows.of(workspaceId).findOne({ _id: idOf(key) });
    if (current?.marks.includes(mark)) return true;
    if (current && limit !== null && current.used >= limit) return false;
    const { filter, update } = taking(use);
    try {
      await rows.of(workspaceId).updateOne(filter, update, { upsert: true });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
}

/** Adds what one client used, marks included, to what another did. */
async function addUp(
  { rows, session }: Unit<UsageDocument>,
  { source, target }: Merge,
): Promise<void> {
  for (const { _id, reward_id, used, marks } of await rows
    .find({ client_id: source }, { session })
    .toArray()) {
    await rows.updateOne(
      { _id: idOf({ rewardId: reward_id, clientId: target }) },
      {
        $setOnInsert: { reward_id, client_id: target },
        $inc: { used },
        $push: { marks: { $each: marks } },
      },
      { upsert: true, session },
    );
    await rows.deleteOne({ _id }, { session });
  }
}

import {
  type Connection,
  collection,
  isDuplicateKey,
  type Merge,
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
  indexes: [{ key: { workspace_id: 1, client_id: 1 }, name: 'client' }],
});

export interface UsageKey {
  rewardId: string;
  clientId: string;
}

const idOf = ({ rewardId, clientId }: UsageKey): string => `${rewardId}:${clientId}`;

export function createUsageStore(connection: Connection) {
  const rows = usages.open(connection);

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
      limit: number | null,
      mark: string,
    ): Promise<boolean> {
      if (limit === 0) return false;
      const _id = idOf(key);
      const filter = {
        _id,
        marks: { $ne: mark },
        ...(limit === null ? {} : { used: { $lt: limit } }),
      };
      const change = {
        $setOnInsert: { reward_id: key.rewardId, client_id: key.clientId },
        $inc: { used: 1 },
        $push: { marks: mark },
      };
      for (;;) {
        try {
          await rows.of(workspaceId).updateOne(filter, change, { upsert: true });
          return true;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
        // The document is there: it bears the mark, it is full, or somebody made it just now.
        const current = await rows.of(workspaceId).findOne({ _id });
        if (current?.marks.includes(mark)) return true;
        if (current && limit !== null && current.used >= limit) return false;
      }
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

    async settle(workspaceId: string, keys: readonly UsageKey[], mark: string): Promise<void> {
      await rows
        .of(workspaceId)
        .updateMany({ _id: { $in: keys.map(idOf) }, marks: mark }, { $pull: { marks: mark } });
    },

    /** Gives a final use back, in the unit of work that cancels its redemption. */
    async giveBack(workspaceId: string, key: UsageKey, session: Session): Promise<void> {
      const filter = { _id: idOf(key), used: { $gt: 0 } };
      await rows.of(workspaceId).updateOne(filter, { $inc: { used: -1 } }, { session });
    },

    async removeReward(workspaceId: string, rewardId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ reward_id: rewardId }, { session });
    },
  };
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

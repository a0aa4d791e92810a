import {
  type CollectionIndexes,
  type Connection,
  isDuplicateKey,
  type Session,
} from '@laurel/mongo';

const COLLECTION = 'usages';

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

export const usageIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [{ key: { workspace_id: 1, client_id: 1 }, name: 'client' }],
};

export interface UsageKey {
  rewardId: string;
  clientId: string;
}

const idOf = ({ rewardId, clientId }: UsageKey): string => `${rewardId}:${clientId}`;

export function createUsageStore(connection: Connection) {
  const usages = connection.collection<UsageDocument>(COLLECTION);

  return {
    async countOf(workspaceId: string, key: UsageKey): Promise<number> {
      const filter = { _id: idOf(key), workspace_id: workspaceId };
      return (await usages.findOne(filter, { projection: { used: 1 } }))?.used ?? 0;
    },

    /** Uses by reward, for one client. */
    async countsOf(workspaceId: string, clientId: string): Promise<Map<string, number>> {
      const filter = { workspace_id: workspaceId, client_id: clientId };
      const rows = await usages.find(filter, { projection: { marks: 0 } }).toArray();
      return new Map(rows.map(({ reward_id, used }) => [reward_id, used]));
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
        workspace_id: workspaceId,
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
          await usages.updateOne(filter, change, { upsert: true });
          return true;
        } catch (error) {
          if (!isDuplicateKey(error)) throw error;
        }
        // The document is there: it bears the mark, it is full, or somebody made it just now.
        const current = await usages.findOne({ _id, workspace_id: workspaceId });
        if (current?.marks.includes(mark)) return true;
        if (current && limit !== null && current.used >= limit) return false;
      }
    },

    /** Gives a reservation back wherever a merge may have carried it; does nothing without its mark. */
    async release(workspaceId: string, keys: readonly UsageKey[], mark: string): Promise<void> {
      await usages.updateMany(
        { _id: { $in: keys.map(idOf) }, workspace_id: workspaceId, marks: mark },
        { $inc: { used: -1 }, $pull: { marks: mark } },
      );
    },

    async settle(workspaceId: string, keys: readonly UsageKey[], mark: string): Promise<void> {
      await usages.updateMany(
        { _id: { $in: keys.map(idOf) }, workspace_id: workspaceId, marks: mark },
        { $pull: { marks: mark } },
      );
    },

    /** Gives a final use back, in the unit of work that cancels its redemption. */
    async giveBack(workspaceId: string, key: UsageKey, session: Session): Promise<void> {
      const filter = { _id: idOf(key), workspace_id: workspaceId, used: { $gt: 0 } };
      await usages.updateOne(filter, { $inc: { used: -1 } }, { session });
    },

    /** Adds what one client used, marks included, to what another did. */
    async move(workspaceId: string, from: string, to: string, session: Session): Promise<void> {
      const filter = { workspace_id: workspaceId, client_id: from };
      for (const usage of await usages.find(filter, { session }).toArray()) {
        const { reward_id, used, marks } = usage;
        await usages.updateOne(
          { _id: idOf({ rewardId: reward_id, clientId: to }), workspace_id: workspaceId },
          {
            $setOnInsert: { reward_id, client_id: to },
            $inc: { used },
            $push: { marks: { $each: marks } },
          },
          { upsert: true, session },
        );
        await usages.deleteOne({ _id: usage._id, workspace_id: workspaceId }, { session });
      }
    },

    async removeReward(workspaceId: string, rewardId: string, session: Session): Promise<void> {
      await usages.deleteMany({ workspace_id: workspaceId, reward_id: rewardId }, { session });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await usages.deleteMany({ workspace_id: workspaceId });
    },
  };
}

import { type Units, unitsOf, ZERO } from '@laurel/amount';
import {
  type CollectionIndexes,
  type Connection,
  orStale,
  type Session,
  StaleWrite,
} from '@laurel/mongo';
import {
  type ClientUsage,
  NO_CLIENT_USAGE,
  NO_USAGE,
  type RuleUsage,
  withoutPoints,
} from '../domain/usage';

const COLLECTION = 'usages';
const WHAT = 'what a rule has used up';

/** What a rule has used up, as a whole (`<rule>`) or for one client (`<rule>:<client>`). */
interface UsageDocument {
  _id: string;
  workspace_id: string;
  rule_id: string;
  client_id: string | null;
  points: number;
  executions: number;
  times: Date[];
  revision: number;
}

export const usageIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    { key: { workspace_id: 1, client_id: 1 }, name: 'of_client' },
    { key: { workspace_id: 1, rule_id: 1 }, name: 'of_rule' },
  ],
};

export interface UsageKey {
  workspaceId: string;
  ruleId: string;
  clientId: string;
}

export interface StoredUsage {
  rule: RuleUsage & { revision: number };
  client: ClientUsage & { revision: number };
}

/** What an execution set aside and did not use. */
export interface Unused {
  points: Units;
  /** When the execution began that gives its place back; null where it keeps it. */
  place: Date | null;
}

export type UsageStore = ReturnType<typeof createUsageStore>;

export function createUsageStore(connection: Connection) {
  const usages = connection.collection<UsageDocument>(COLLECTION);

  async function save(
    id: string,
    { workspaceId, ruleId }: UsageKey,
    clientId: string | null,
    { revision, ...usage }: RuleUsage & Partial<ClientUsage> & { revision: number },
    session: Session,
  ): Promise<void> {
    const columns = {
      points: usage.points,
      executions: usage.executions,
      times: usage.times ?? [],
    };
    if (revision === 0) {
      const identity = { _id: id, workspace_id: workspaceId, rule_id: ruleId, client_id: clientId };
      const row = { ...identity, ...columns, revision: 1 };
      await orStale(WHAT, usages.insertOne(row, { session }));
      return;
    }
    const { matchedCount } = await usages.updateOne(
      { _id: id, workspace_id: workspaceId, revision },
      { $set: { ...columns, revision: revision + 1 } },
      { session },
    );
    if (matchedCount === 0) throw new StaleWrite(WHAT);
  }

  async function giveBack(
    id: string,
    workspaceId: string,
    { points, place }: Unused,
    session: Session,
  ): Promise<void> {
    const document = await usages.findOne({ _id: id, workspace_id: workspaceId }, { session });
    if (!document) return;
    const { matchedCount } = await usages.updateOne(
      { _id: id, workspace_id: workspaceId, revision: document.revision },
      {
        $set: {
          points: withoutPoints(unitsOf(document.points), points),
          ...(place ? withoutPlace(document, place) : {}),
        },
        $inc: { revision: 1 },
      },
      { session },
    );
    if (matchedCount === 0) throw new StaleWrite(WHAT);
  }

  return {
    async find(
      { workspaceId, ruleId, clientId }: UsageKey,
      session?: Session,
    ): Promise<StoredUsage> {
      const [rule, client] = [ruleId, idOf(ruleId, clientId)];
      const filter = { _id: { $in: [rule, client] }, workspace_id: workspaceId };
      const documents = await usages.find(filter, session ? { session } : {}).toArray();
      const byId = new Map(documents.map((document) => [document._id, toUsage(document)]));
      return {
        rule: byId.get(rule) ?? { ...NO_USAGE, revision: 0 },
        client: byId.get(client) ?? { ...NO_CLIENT_USAGE, revision: 0 },
      };
    },

    /**
     * Writes what was decided on a usage that was read in the same transaction. Throws StaleWrite when
     * it is no longer that.
     */
    async save(key: UsageKey, usage: StoredUsage, session: Session): Promise<void> {
      await save(key.ruleId, key, null, usage.rule, session);
      const id = idOf(key.ruleId, key.clientId);
      await save(id, key, key.clientId, usage.client, session);
    },

    /** Gives back points that were set aside and not awarded, and the place of an execution that failed. */
    async giveBack(key: UsageKey, unused: Unused, session: Session): Promise<void> {
      if (unused.points === ZERO && !unused.place) return;
      await giveBack(key.ruleId, key.workspaceId, unused, session);
      await giveBack(idOf(key.ruleId, key.clientId), key.workspaceId, unused, session);
    },

    /** What one client used counts for the client they were merged into. */
    async moveClient(
      workspaceId: string,
      from: string,
      to: string,
      session: Session,
    ): Promise<void> {
      const filter = { workspace_id: workspaceId, client_id: from };
      for (const usage of await usages.find(filter, { session }).toArray()) {
        await usages.updateOne(
          { _id: idOf(usage.rule_id, to), workspace_id: workspaceId },
          {
            $setOnInsert: { rule_id: usage.rule_id, client_id: to },
            $inc: { points: usage.points, executions: usage.executions, revision: 1 },
            $push: { times: { $each: usage.times, $sort: 1 } },
          },
          { upsert: true, session },
        );
        await usages.deleteOne({ _id: usage._id, workspace_id: workspaceId }, { session });
      }
    },

    async removeRule(workspaceId: string, ruleId: string, session: Session): Promise<void> {
      await usages.deleteMany({ workspace_id: workspaceId, rule_id: ruleId }, { session });
    },

    async removeClient(workspaceId: string, clientId: string): Promise<void> {
      await usages.deleteMany({ workspace_id: workspaceId, client_id: clientId });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await usages.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function withoutPlace({ executions, times }: UsageDocument, place: Date) {
  const at = times.findIndex((time) => time.getTime() === place.getTime());
  return {
    executions: Math.max(0, executions - 1),
    times: at === -1 ? times : times.toSpliced(at, 1),
  };
}

function idOf(ruleId: string, clientId: string): string {
  return `${ruleId}:${clientId}`;
}

function toUsage({ points, executions, times, revision }: UsageDocument) {
  return { points: unitsOf(points), executions, times, revision };
}

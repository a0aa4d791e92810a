import {
  type Connection,
  collection,
  type Merge,
  orStale,
  type Rows,
  type Session,
  StaleWrite,
  type Unit,
} from '@laurel/mongo';
import { AMOUNT_MAX, toUnits, type Units, unitsOf } from '@laurel/values/amount';
import { NO_USAGE, type Usage } from '../domain/usage';

const WHAT = 'what a rule has used up';
/** Over so many rows a rule without limits spreads what it counts, so that its executions do not wait for each other. */
const SPREAD = 16;
const POINTS_MAX = toUnits(AMOUNT_MAX);
/** What this process counts together goes into one of them, so that replicas seldom meet in a row. */
const OWN_ROW = Math.floor(Math.random() * SPREAD);

/**
 * A part of what a rule has used up: for one client (`<rule>:<client>`), or as a whole (`<rule>` and `<rule>~<number>`,
 * which only add up to something, each for itself may be below zero).
 */
interface UsageDocument {
  _id: string;
  workspace_id: string;
  rule_id: string;
  client_id: string | null;
  points: number;
  executions: number;
  revision: number;
}

export const usages = collection<UsageDocument>('usages', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: addUp,
    anonymized: 'goes',
    deleted: 'as anonymized',
    exported: 'withheld: the executions say the same',
  },
  growth: {
    per: 'client and rule with limits',
    end: 'stays: what says that a limit is reached',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { workspace_id: 1, client_id: 1 }, name: 'of_client' },
    { key: { workspace_id: 1, rule_id: 1 }, name: 'of_rule' },
  ],
});

export interface UsageKey {
  workspaceId: string;
  ruleId: string;
  clientId: string;
}

type RowKey = Omit<UsageKey, 'workspaceId'>;
type Seen = Usage & { revision: number };
export interface StoredUsage {
  rule: Seen;
  client: Seen;
}

/** One execution, or what of it is given back (below zero). */
export interface Share {
  points: number;
  executions: number;
}

/** An execution that is counted, and of which rows its decision took note: they must still be as they were read. */
export interface Counted extends UsageKey {
  points: Units;
  noted: { rule?: Seen | undefined; client?: Seen | undefined };
}

export function createUsageStore(connection: Connection) {
  const rows = usages.open(connection);
  const decrease = decreasing(rows);

  return {
    ...readsOf(rows),

    /**
     * Counts executions, each for good or until it is given back, in one write. What was noted must be as it was read in the
     * same transaction, else StaleWrite is thrown; all else is counted without waiting for anybody.
     */
    async countAll(counted: readonly Counted[], session: Session): Promise<void> {
      if (counted.length === 0) return;
      const writes = sharesByRow(counted).map(({ seen, points, executions, ...row }) => ({
        updateOne: {
          filter: {
            _id: row._id,
            workspace_id: row.workspace_id,
            ...(seen ? { revision: seen.revision } : {}),
          },
          update: adding(row, { points, executions }),
          upsert: !seen?.revision,
        },
      }));
      const { matchedCount, upsertedCount } = await orStale(
        WHAT,
        rows.bulkWrite(writes, { session }),
      );
      if (matchedCount + upsertedCount !== writes.length) throw new StaleWrite(WHAT);
    },

    /**
     * Gives back points that were set aside and not awarded, and the place of an execution that did not succeed. The client
     * goes by any of some names: one that was merged may be counted by that of then or of now.
     */
    async giveBack(
      { workspaceId, ruleId, clientIds }: Omit<UsageKey, 'clientId'> & { clientIds: string[] },
      unused: Share,
      session: Session,
    ): Promise<void> {
      if (unused.points === 0 && unused.executions === 0) return;
      const ids = clientIds.map((clientId) => rowOfClient(ruleId, clientId));
      await decrease(workspaceId, { ...unused, ids }, session);
      await decrease(workspaceId, { ...unused, ids: rowsOf(ruleId) }, session);
    },

    async removeRule(workspaceId: string, ruleId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ rule_id: ruleId }, { session });
    },
  };
}

/** What has been used up. */
function readsOf(rows: Rows<UsageDocument>) {
  return {
    async find(key: UsageKey): Promise<StoredUsage> {
      return (await this.findMany(key.workspaceId, [key]))(key);
    },

    /** What is used up by some rules for some clients, read at once. */
    async findMany(
      workspaceId: string,
      keys: readonly RowKey[],
      session?: Session,
    ): Promise<(key: RowKey) => StoredUsage> {
      const ids = keys.flatMap(({ ruleId, clientId }) => [
        ...rowsOf(ruleId),
        rowOfClient(ruleId, clientId),
      ]);
      const filter = { _id: { $in: [...new Set(ids)] } };
      const found = await rows.of(workspaceId).find(filter, { session }).toArray();
      const byId = new Map(found.map((row) => [row._id, row]));
      const seen = (all: readonly string[], noted: string): Seen => {
        const some = all.flatMap((id) => byId.get(id) ?? []);
        return { ...sumOf(some), revision: byId.get(noted)?.revision ?? 0 };
      };
      return ({ ruleId, clientId }) => {
        const ofClient = rowOfClient(ruleId, clientId);
        return { rule: seen(rowsOf(ruleId), ruleId), client: seen([ofClient], ofClient) };
      };
    },

    /** What rules have used up as a whole; those that have not run are left out. */
    async ofRules(
      workspaceId: string,
      ruleIds: readonly string[] | 'all',
    ): Promise<Map<string, Usage>> {
      const which =
        ruleIds === 'all' ? { client_id: null } : { _id: { $in: ruleIds.flatMap(rowsOf) } };
      const found = await rows.of(workspaceId).find(which).toArray();
      const byRule = new Map<string, UsageDocument[]>();
      for (const row of found) byRule.set(row.rule_id, [...(byRule.get(row.rule_id) ?? []), row]);
      return new Map([...byRule].map(([id, own]) => [id, sumOf(own)]));
    },
  };
}

type UsageRow = Pick<UsageDocument, '_id' | 'workspace_id' | 'rule_id' | 'client_id'>;

const adding = ({ rule_id, client_id }: UsageRow, { points, executions }: Share) => ({
  $inc: { points, executions, revision: 1 },
  $setOnInsert: { rule_id, client_id },
});

type Added = UsageRow & Share & { seen: Seen | undefined };

/** What executions add to each row that they count in; always in the same order, so that two who count wait for no more than one another. */
function sharesByRow(counted: readonly Counted[]): Added[] {
  const byId = new Map<string, Added>();
  for (const { workspaceId, ruleId, clientId, points, noted } of counted) {
    const row = { workspace_id: workspaceId, rule_id: ruleId };
    const ofRule = noted.rule ? ruleId : `${ruleId}~${OWN_ROW}`;
    for (const one of [
      { ...row, _id: ofRule, client_id: null, seen: noted.rule },
      { ...row, _id: rowOfClient(ruleId, clientId), client_id: clientId, seen: noted.client },
    ]) {
      const before = byId.get(one._id) ?? { points: 0, executions: 0, seen: undefined };
      byId.set(one._id, {
        ...one,
        seen: one.seen ?? before.seen,
        points: before.points + points,
        executions: before.executions + 1,
      });
    }
  }
  return [...byId.values()].sort((one, other) => (one._id < other._id ? -1 : 1));
}

/** Takes from the first of some rows that is there: where none is any more, the rule was deleted. */
const decreasing =
  (rows: Rows<UsageDocument>) =>
  async (
    workspaceId: string,
    { ids, points, executions }: Share & { ids: readonly string[] },
    session: Session,
  ): Promise<void> => {
    const own = rows.of(workspaceId);
    const there = await own.findOne(
      { _id: { $in: [...ids] } },
      { session, projection: { _id: 1 } },
    );
    if (!there) return;
    const less = { $inc: { points: -points, executions: -executions, revision: 1 } };
    await own.updateOne({ _id: there._id }, less, { session });
  };

/** What one client used counts for the client they were merged into. */
async function addUp(
  { rows, session }: Unit<UsageDocument>,
  { source, target }: Merge,
): Promise<void> {
  const used = await rows.find({ client_id: source }, { session }).toArray();
  for (const { _id, rule_id, points, executions } of used) {
    const added = {
      $inc: { points, executions, revision: 1 },
      $setOnInsert: { rule_id, client_id: target },
    };
    const ofTarget = { _id: rowOfClient(rule_id, target) };
    await orStale(WHAT, rows.updateOne(ofTarget, added, { upsert: true, session }));
    await rows.deleteOne({ _id }, { session });
  }
}

function rowOfClient(ruleId: string, clientId: string): string {
  return `${ruleId}:${clientId}`;
}

function rowsOf(ruleId: string): string[] {
  return [ruleId, ...Array.from({ length: SPREAD }, (_, index) => `${ruleId}~${index}`)];
}

function sumOf(rows: readonly Share[]): Usage {
  if (rows.length === 0) return NO_USAGE;
  const sum = (name: keyof Share) => rows.reduce((total, row) => total + row[name], 0);
  const points = Math.min(Math.max(sum('points'), 0), POINTS_MAX);
  return { points: unitsOf(points), executions: Math.max(sum('executions'), 0) };
}

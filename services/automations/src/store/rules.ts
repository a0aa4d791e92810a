import type { TriggerType } from '@laurel/contract';
import {
  type Connection,
  collection,
  KEY_INDEX,
  type Rows,
  refuseTakenKey,
  type Session,
  StaleWrite,
  withoutMissingKey,
} from '@laurel/mongo';
import type { Room } from '@laurel/work';
import { createDueTimes, createTurns, dueIndex } from '@laurel/work';
import type { Rule } from '../domain/rule';
import { refusals } from '../refusals';

const keyTaken = () => refusals.keyTaken({ field: 'key' });
const DUE = { column: 'next_run_at' };

interface RuleDocument extends Omit<Rule, 'id'> {
  _id: string;
  revision: number;
  /** When a time_based rule is due next; absent where it never is. */
  next_run_at?: Date;
  /** The time zone in which that was worked out. */
  next_run_zone?: string;
}

export const rules = collection<RuleDocument>('rules', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: 'copied',
  growth: {
    per: 'rule',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, trigger_type: 1, active: 1 }, name: 'of_trigger' },
    dueIndex(DUE),
    KEY_INDEX,
  ],
});

/** When a rule is due next by the clock. */
export interface Plan {
  dueAt: Date;
  /** The time zone in which that was worked out. */
  zone: string;
}

export interface StoredRule extends Rule {
  revision: number;
  /** null where the rule is never due. */
  plan: Plan | null;
}

/** By priority, then id: the order in which rules run (part 3, section 8). */
const IN_ORDER = { priority: 1, _id: 1 } as const;

/** All rules, or those that are switched on or off, or the one of a key. */
export interface RuleFilter {
  active?: boolean | undefined;
  key?: string | undefined;
}

const filterOf = ({ active, key }: RuleFilter) => ({
  ...(active === undefined ? {} : { active }),
  ...(key === undefined ? {} : { key }),
});

export function createRuleStore(connection: Connection) {
  const rows = rules.open(connection);
  const dueInTurns = createTurns(connection, rules.collection, DUE);
  const due = createDueTimes(connection, rules.collection, DUE);

  return {
    /** When time_based rules are to run. */
    due,

    async insert(rule: Rule, plan: Plan | null, session: Session): Promise<void> {
      if (plan) due.wake(session, plan.dueAt);
      const document = { ...toDocument(rule, plan), revision: 1 };
      await refuseTakenKey(rows.insertOne(document, { session }), keyTaken);
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<StoredRule | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return document && toRule(document);
    },

    async list(workspaceId: string, by: RuleFilter = {}, session?: Session): Promise<StoredRule[]> {
      const found = rows.of(workspaceId).find(filterOf(by), { session });
      return (await found.sort(IN_ORDER).toArray()).map(toRule);
    },

    count: (workspaceId: string, session: Session): Promise<number> =>
      rows.of(workspaceId).count({}, { session }),

    /** Whether the workspace has any rule, active or not. */
    hasAny: (workspaceId: string): Promise<boolean> => rows.of(workspaceId).has({}),

    async listActive(workspaceId: string, type: TriggerType): Promise<StoredRule[]> {
      const filter = { trigger_type: type, active: true };
      return (await rows.of(workspaceId).find(filter).sort(IN_ORDER).toArray()).map(toRule);
    },

    /** Throws StaleWrite when the rule is no longer the one that was read. */
    async replace(
      { revision, ...rule }: Omit<StoredRule, 'plan'>,
      plan: Plan | null,
      session: Session,
    ): Promise<void> {
      if (plan) due.wake(session, plan.dueAt);
      const { _id, ...columns } = toDocument(rule, plan);
      const written = rows
        .of(rule.workspace_id)
        .updateOne(
          { _id, revision },
          { $set: { ...columns, revision: revision + 1 }, ...(plan ? {} : { $unset: UNPLANNED }) },
          { session },
        );
      const { matchedCount } = await refuseTakenKey(written, keyTaken);
      if (matchedCount === 0) throw new StaleWrite('the rule');
    },

    /** Throws StaleWrite when the rule is no longer the one that was read. */
    remove: (rule: Removed, session?: Session) => removeSeen(rows, rule, session),

    async findDue(now: Date, room: Room): Promise<StoredRule[]> {
      const ids = (await dueInTurns(now, room)).map(({ id }) => id);
      if (ids.length === 0) return [];
      return (await rows.ofEverybody.find({ _id: { $in: ids } }).toArray()).map(toRule);
    },

    /** Moves a rule on from one due moment to the next; false when somebody else did, or it was changed. */
    async advance(rule: StoredRule, plan: Plan | null, session: Session): Promise<boolean> {
      const change = plan ? { $set: columnsOf(plan) } : { $unset: UNPLANNED };
      const own = rows.of(rule.workspace_id);
      return (await own.updateOne(asPlanned(rule), change, { session })).matchedCount === 1;
    },
  };
}

type Removed = Pick<StoredRule, 'workspace_id' | 'id' | 'revision'>;

async function removeSeen(
  rows: Rows<RuleDocument>,
  { workspace_id, id, revision }: Removed,
  session?: Session,
): Promise<void> {
  const { deletedCount } = await rows
    .of(workspace_id)
    .deleteOne({ _id: id, revision }, { session });
  if (deletedCount === 0) throw new StaleWrite('the rule');
}

/** A rule as it was read, planned for the same moment. */
const asPlanned = ({ id, revision, plan }: StoredRule) => ({
  _id: id,
  revision,
  next_run_at: plan!.dueAt,
});

const UNPLANNED = { next_run_at: '', next_run_zone: '' } as const;

function columnsOf({ dueAt, zone }: Plan) {
  return { next_run_at: dueAt, next_run_zone: zone };
}

function toDocument({ id, ...columns }: Rule, plan: Plan | null) {
  return { ...withoutMissingKey(columns), _id: id, ...(plan ? columnsOf(plan) : {}) };
}

function toRule({ _id, next_run_at, next_run_zone, ...columns }: RuleDocument): StoredRule {
  // Rules from before workspaces had a zone were planned in UTC.
  const plan = next_run_at ? { dueAt: next_run_at, zone: next_run_zone ?? 'UTC' } : null;
  return { ...columns, id: _id, plan };
}

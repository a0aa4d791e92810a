import { currentContext } from '@laurel/lifecycle';
import { type Session, unitOfWork } from '@laurel/mongo';
import { ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { periodOf } from '../domain/days';
import { whyNotFor } from '../domain/facts';
import type { RuleOccasion } from '../domain/history';
import { type Limits, type Rule, zoneOf } from '../domain/rule';
import { isTurnInRun, type Trigger } from '../domain/trigger';
import { limitPassed } from '../domain/usage';
import type { Execution } from '../store/execution-document';
import type { UsageKey } from '../store/usages';
import { considerRule } from './consider-rule';
import { beginTogether } from './execute-together';
import type { Standing } from './gather-facts';

/** How long an execution belongs to its runner. */
export const TAKE_OVER_MS = 30_000;

/**
 * Decides whether a rule runs for a client and, if so, sets aside what it will use up, all in one
 * transaction. Null when a condition does not hold, or no rule runs for the client. A limit makes it skipped, a formula that fails
 * makes it failed; both stay on record (part 3, sections 8 and 16).
 */
export async function decideExecution(
  deps: Deps,
  { rule, happened }: RuleOccasion,
  { id, standing }: { id: string; standing: Standing },
): Promise<Execution | null> {
  const startedAt = deps.clock.now();
  const facts = await standing.read();
  if (!facts || whyNotFor(facts, happened) !== null) return null;
  const ofNow = { ...happened, clientId: facts.client.id };
  const verdict = await considerRule(deps, { rule, happened: ofNow }, { facts });
  if ('unmet' in verdict) return null;
  const blank = blankExecution(rule, ofNow, { id, startedAt });
  if ('failure' in verdict) {
    if (verdict.fault)
      deps.logger.error({ err: verdict.fault, rule: rule.id }, 'a rule could not be evaluated');
    const outcome = { status: 'failed', errorMessage: verdict.failure } as const;
    return record(deps, ended(blank, outcome, deps.clock.now()));
  }
  // Counted also where nothing limits it yet: a limit that is set later counts what has been done (part 4, section 6).
  const { effects, points: reserved } = verdict.plan;
  const planned = { ...blank, effects, reserved };
  const takeOverAt = new Date(deps.clock.now().getTime() + TAKE_OVER_MS);
  if (!isLimited(rule.limits)) return beginTogether(deps, planned, takeOverAt);
  const bounds = { limits: rule.limits, timeZone: zoneOf(rule, facts.timeZone) };
  return reserve(deps, bounds, { execution: planned, takeOverAt });
}

function blankExecution(
  rule: Rule,
  happened: Trigger,
  { id, startedAt }: { id: string; startedAt: Date },
): Execution {
  const { chain, depth } = currentContext();
  return {
    id,
    workspaceId: rule.workspace_id,
    ruleId: rule.id,
    ruleName: rule.name,
    priority: rule.priority,
    clientId: happened.clientId,
    trigger: happened,
    effects: [],
    results: [],
    status: 'running',
    reserved: ZERO,
    awarded: ZERO,
    errorMessage: null,
    startedAt,
    executedAt: startedAt,
    durationMs: 0,
    chain: [...chain],
    depth,
    attempts: 0,
  };
}

/** An execution as it is once it has ended. */
export function ended(
  execution: Execution,
  outcome: Pick<Execution, 'status' | 'errorMessage'> & Partial<Execution>,
  now: Date,
): Execution {
  const durationMs = now.getTime() - execution.startedAt.getTime();
  return { ...execution, ...outcome, executedAt: now, durationMs };
}

async function record(deps: Deps, execution: Execution): Promise<Execution> {
  await unitOfWork(deps.connection, (session) => deps.executions.insert(execution, null, session));
  return execution;
}

/** What keeps a rule from running too often, and the days that it goes by. */
interface Bounds {
  limits: Limits;
  timeZone: string;
}

/** Limits are looked at and used up in one transaction, so that no race passes them. */
function reserve(
  deps: Deps,
  bounds: Bounds,
  { execution, takeOverAt }: { execution: Execution; takeOverAt: Date },
): Promise<Execution> {
  return unitOfWork(deps.connection, async (session) => {
    const limit = await useUp(deps, { bounds, execution }, session);
    if (limit) {
      const outcome = { status: 'skipped', errorMessage: `limit_reached: ${limit}` } as const;
      const nothing = { ...outcome, effects: [], reserved: ZERO };
      const skipped = ended(execution, nothing, deps.clock.now());
      await deps.executions.insert(skipped, null, session);
      return skipped;
    }
    await deps.executions.insert(execution, takeOverAt, session);
    return execution;
  });
}

const isLimitedAsWhole = ({ total_budget, total_executions }: Limits): boolean =>
  total_budget !== undefined || total_executions !== undefined;

const isLimitedEach = ({ per_client_budget, executions_per_client }: Limits): boolean =>
  per_client_budget !== undefined || executions_per_client !== undefined;

const isLimited = (limits: Limits): boolean => isLimitedAsWhole(limits) || isLimitedEach(limits);

/** Counts an execution, unless one of the limits is reached: gives that one then. */
async function useUp(
  { usages, executions }: Pick<Deps, 'usages' | 'executions'>,
  { bounds, execution }: { bounds: Bounds; execution: Execution },
  session: Session,
): Promise<keyof Limits | null> {
  const { limits, timeZone } = bounds;
  const { workspaceId, ruleId, clientId, reserved, startedAt, trigger } = execution;
  const key = { workspaceId, ruleId, clientId };
  const isTurn = isTurnInRun(trigger);
  const used = await usages.find(key, session);
  // After the usage that the write below holds it to: one that comes in between is found there, or here.
  const recent = await executionsWithin(
    { executions },
    {
      ...key,
      limits,
      timeZone,
      at: isTurn ? trigger.at : startedAt,
      counts: isTurn ? 'due' : 'begun',
    },
    session,
  );
  const limit = limitPassed(limits, { ...used, recent }, reserved);
  if (limit) return limit;
  const noted = {
    rule: isLimitedAsWhole(limits) ? used.rule : undefined,
    client: isLimitedEach(limits) ? used.client : undefined,
  };
  await usages.count(key, { points: reserved, noted }, session);
  return null;
}

interface LookBack extends UsageKey, Bounds {
  at: Date;
  /** Which day an execution counts for: that on which it began, or, in runs of a schedule, that on which its run was due. */
  counts: 'begun' | 'due';
}

/** How often a rule ran for a client in the interval that its limit looks at, as of a moment. */
export async function executionsWithin(
  { executions }: Pick<Deps, 'executions'>,
  { workspaceId, ruleId, clientId, limits, timeZone, at, counts }: LookBack,
  session?: Session,
): Promise<number> {
  const often = limits.executions_per_client;
  if (!often || often.interval === 'lifetime') return 0;
  const period = periodOf(often.interval, at, timeZone);
  const asked = { ruleId, clientId, period, counts, atMost: often.value };
  return executions.countWithin(workspaceId, asked, session);
}

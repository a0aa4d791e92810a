import { type Units, ZERO } from '@laurel/amount';
import { currentContext } from '@laurel/lifecycle';
import { isDuplicateKey, unitOfWork } from '@laurel/mongo';
import type { Deps } from '../deps';
import { failedCondition } from '../domain/conditions';
import { type Plan, planEffects, Unusable } from '../domain/plan';
import type { Limits, Rule } from '../domain/rule';
import type { Trigger } from '../domain/trigger';
import { afterExecution, limitPassed } from '../domain/usage';
import { FormulaFailed } from '../formula/formulas';
import type { Execution } from '../store/executions';
import { gatherFacts, situationOf } from './gather-facts';

/** How long an execution belongs to whoever runs it. */
export const TAKE_OVER_MS = 30_000;
/** Two that meet at an index decide again; more than a few meetings in a row are rare. */
const MEETINGS_MAX = 5;

type Verdict =
  | { plan: Plan }
  /** No condition was even asked: it leaves no trace. */
  | { plan: null }
  | { failure: string };

/**
 * Decides whether a rule runs for a client and, if so, sets aside what it will use up, all in one
 * transaction. Null when a condition does not hold. A limit makes it skipped, a formula that fails
 * makes it failed; both stay on record (part 3, sections 8 and 16).
 */
export async function decideExecution(
  deps: Deps,
  rule: Rule,
  happened: Trigger,
  id: string,
): Promise<Execution | null> {
  const startedAt = deps.clock.now();
  const verdict = await judge(deps, rule, happened);
  if ('plan' in verdict && verdict.plan === null) return null;
  const blank = blankExecution(rule, happened, { id, startedAt });
  if ('failure' in verdict) return record(deps, failed(blank, verdict.failure, deps.clock.now()));
  return reserve(deps, rule.limits, {
    ...blank,
    effects: verdict.plan!.effects,
    reserved: verdict.plan!.points,
  });
}

async function judge(deps: Deps, rule: Rule, happened: Trigger): Promise<Verdict> {
  const facts = await gatherFacts(deps, rule.workspace_id, happened.clientId);
  if (!facts || facts.client.status === 'anonymized') return { plan: null };
  const situation = await situationOf(deps, rule, happened, facts);
  try {
    if (failedCondition(rule, situation)) return { plan: null };
    return { plan: planEffects(rule, situation.evaluate) };
  } catch (error) {
    if (error instanceof FormulaFailed || error instanceof Unusable)
      return { failure: error.message };
    throw error;
  }
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

function failed(execution: Execution, reason: string, now: Date): Execution {
  const durationMs = now.getTime() - execution.startedAt.getTime();
  return { ...execution, status: 'failed', errorMessage: reason, executedAt: now, durationMs };
}

async function record(deps: Deps, execution: Execution): Promise<Execution> {
  await unitOfWork(deps.connection, (session) => deps.executions.insert(execution, null, session));
  return execution;
}

/** Limits are looked at and used up in one transaction, so that no race passes them. */
async function reserve(deps: Deps, limits: Limits, execution: Execution): Promise<Execution> {
  const { workspaceId, ruleId, clientId, reserved } = execution;
  const key = { workspaceId, ruleId, clientId };
  return meetingOthers(deps, execution, () =>
    unitOfWork(deps.connection, async (session) => {
      const now = deps.clock.now();
      if (!isLimited(limits)) {
        await deps.executions.insert(execution, takeOver(now), session);
        return execution;
      }
      const used = await deps.usages.find(key, session);
      const limit = limitPassed(limits, used, reserved, now);
      if (limit) {
        const skipped = skippedBy(execution, limit, now);
        await deps.executions.insert(skipped, null, session);
        return skipped;
      }
      const after = afterExecution(limits, used, reserved, now);
      await deps.usages.save(
        key,
        {
          rule: { ...after.rule, revision: used.rule.revision },
          client: { ...after.client, revision: used.client.revision },
        },
        session,
      );
      await deps.executions.insert(execution, takeOver(now), session);
      return execution;
    }),
  );
}

function isLimited(limits: Limits): boolean {
  return Object.values(limits).some((limit) => limit !== undefined && limit !== null);
}

function takeOver(now: Date): Date {
  return new Date(now.getTime() + TAKE_OVER_MS);
}

function skippedBy(execution: Execution, limit: keyof Limits, now: Date): Execution {
  const durationMs = now.getTime() - execution.startedAt.getTime();
  const reserved: Units = ZERO;
  return {
    ...execution,
    status: 'skipped',
    errorMessage: `limit_reached: ${limit}`,
    effects: [],
    reserved,
    executedAt: now,
    durationMs,
  };
}

/** The first use of a rule by two replicas at once makes one usage twice: the later one decides again. */
async function meetingOthers(
  { executions }: Pick<Deps, 'executions'>,
  { workspaceId, id }: Execution,
  decide: () => Promise<Execution>,
): Promise<Execution> {
  for (let meeting = 1; ; meeting += 1) {
    try {
      return await decide();
    } catch (error) {
      if (!isDuplicateKey(error) || meeting === MEETINGS_MAX) throw error;
      const other = await executions.find(workspaceId, id);
      if (other) return other;
    }
  }
}

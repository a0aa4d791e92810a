import { currentContext } from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { ZERO } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { whyNotFor } from '../domain/facts';
import type { RuleOccasion } from '../domain/history';
import { type Rule, zoneOf } from '../domain/rule';
import type { Trigger } from '../domain/trigger';
import type { Execution } from '../store/execution-document';
import { considerRule } from './consider-rule';
import { beginTogether, ended } from './execute-together';
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
  const bounds = { limits: rule.limits, timeZone: zoneOf(rule, facts.timeZone) };
  return beginTogether(deps, { execution: planned, bounds, takeOverAt });
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

async function record(deps: Deps, execution: Execution): Promise<Execution> {
  const decided = { execution, takeOverAt: null };
  await unitOfWork(deps.connection, (session) => deps.executions.insertAll([decided], session));
  return execution;
}

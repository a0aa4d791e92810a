import { isOutage } from '@laurel/events';
import { currentContext, stableId } from '@laurel/lifecycle';
import { isDuplicateKey } from '@laurel/mongo';
import type { Deps } from '../deps';
import type { RuleOccasion } from '../domain/history';
import { isWithinWindow, type Rule } from '../domain/rule';
import { matches, type Trigger } from '../domain/trigger';
import type { Execution } from '../store/execution-document';
import { decideExecution } from './decide-execution';
import { type Standing, standingOf } from './gather-facts';
import { runExecution } from './run-execution';

/** An event this deep in a chain of rules fires no more (part 3, section 8). */
export const DEPTH_MAX = 5;

/** A happening, and the rules that ask for it. */
export interface Wanted {
  happened: Trigger;
  rules: readonly Rule[];
}

/**
 * Of which rules a condition did not hold when an event had its turn, by the ids that their executions would have. Of those
 * there is no record, and an event that comes again must not decide on them anew: what other rules gave meanwhile would be
 * what they look at.
 */
export type Unmet = Set<string>;

/** What kept a rule from its end about a happening. */
interface Fault {
  error: unknown;
  /** The decision stands, and the sweeper goes on with it; where it does not, the rule has yet to have its turn. */
  isOnRecord: boolean;
}

/**
 * Lets every rule that asks for the happening run (`rulesAskingFor`), in their order, which is by priority and then id;
 * each sees what the ones before it changed (part 3, section 8). Repeating it repeats nothing: what has run is known by
 * its id, what was left halfway is taken up where it stands. An execution that meets a fault is on record and stops no
 * other rule, nor does a rule that cannot be decided on; one whose decision or effects wait for a service or the store
 * stops those after it, which would not see what it changes. The fault is thrown for the event to come again, an outage
 * before any other: it costs the event none of its tries.
 *
 * @param unmet what earlier turns of the event found; what this one finds is added
 */
export async function fireRules(
  deps: Deps,
  { rules, happened }: Wanted,
  unmet: Unmet = new Set(),
): Promise<void> {
  const [first] = rules;
  if (!first) return;
  const standing = standingOf(deps, rules, happened.clientId);
  const faults: Fault[] = [];
  for (const rule of rules) {
    const id = executionIdOf(rule.id, happened);
    if (unmet.has(id)) continue;
    const outcome = await turnOf(deps, { rule, happened }, standing);
    if (outcome === 'unmet') unmet.add(id);
    else if (outcome !== null) faults.push(outcome);
    if (faults.some(({ error }) => isOutage(error))) break;
  }
  // The client may have been merged since rules were decided on: what they wrote goes with who it is now.
  const { clientId } = happened;
  await deps.departures.catchUp(deps, { workspaceId: first.workspace_id, clientId });
  const worst = faults.find(({ error }) => isOutage(error)) ?? faults[0];
  if (worst) throw worst.error;
}

/** Those of a workspace's active rules that a happening fires, now that it comes from a chain of others or from outside. */
export function rulesAskingFor(active: readonly Rule[], happened: Trigger): Rule[] {
  const { chain, depth } = currentContext();
  if (depth >= DEPTH_MAX) return [];
  return active.filter(
    (rule) =>
      !chain.includes(rule.id) && matches(rule, happened) && isWithinWindow(rule, happened.at),
  );
}

/** Runs one rule that asks for the happening, unless it has; gives back the fault that keeps it from its end, or null. */
export async function fireRule(deps: Deps, occasion: RuleOccasion): Promise<Fault | null> {
  const { rule, happened } = occasion;
  const outcome = await turnOf(deps, occasion, standingOf(deps, [rule], happened.clientId));
  return outcome === 'unmet' ? null : outcome;
}

/** The fault that keeps a rule from its end; null where there is none. */
async function turnOf(
  deps: Deps,
  occasion: RuleOccasion,
  standing: Standing,
): Promise<Fault | 'unmet' | null> {
  let execution: Execution | null;
  let isResumed: boolean;
  try {
    ({ execution, isResumed } = await decided(deps, occasion, standing));
  } catch (error) {
    return { error, isOnRecord: false };
  }
  if (execution === null) return 'unmet';
  if (execution.status !== 'running') return null;
  standing.changed();
  try {
    await runExecution(deps, execution, isResumed);
    return null;
  } catch (error) {
    return { error, isOnRecord: true };
  }
}

/** The execution, by an earlier turn or by this one; null where a condition does not hold. */
async function decided(
  deps: Deps,
  occasion: RuleOccasion,
  standing: Standing,
): Promise<{ execution: Execution | null; isResumed: boolean }> {
  const { rule, happened } = occasion;
  const id = executionIdOf(rule.id, happened);
  const earlier = await deps.executions.look(rule.workspace_id, id);
  if (!earlier && happened.type === 'time_based') {
    const clientId = (await standing.read())?.client.id ?? happened.clientId;
    // A run has one turn for each client: that of whom several members became while it was on its way.
    if (clientId !== happened.clientId)
      return decided(deps, { rule, happened: { ...happened, clientId } }, standing);
  }
  if (earlier) return { execution: earlier, isResumed: true };
  return { execution: await decideOnce(deps, occasion, { id, standing }), isResumed: false };
}

/** One event fires one rule at most once per client. */
export function executionIdOf(ruleId: string, { eventId, clientId }: Trigger): string {
  return stableId(`${ruleId} ${eventId} ${clientId}`);
}

/** The decision, or the one that another replica made in the same moment. */
async function decideOnce(
  deps: Deps,
  occasion: RuleOccasion,
  { id, standing }: { id: string; standing: Standing },
) {
  try {
    return await decideExecution(deps, occasion, { id, standing });
  } catch (error) {
    const other = isDuplicateKey(error)
      ? await deps.executions.find(occasion.rule.workspace_id, id)
      : null;
    if (other) return other;
    throw error;
  }
}

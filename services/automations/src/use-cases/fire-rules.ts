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
 */
export async function fireRules(
  deps: Deps,
  asking: readonly Rule[],
  happened: Trigger,
): Promise<void> {
  const [first] = asking;
  if (!first) return;
  const standing = standingOf(deps, asking, happened.clientId);
  const faults: Fault[] = [];
  for (const rule of asking) {
    const fault = await fireRule(deps, { rule, happened }, standing);
    if (fault === null) continue;
    faults.push(fault);
    if (isOutage(fault.error)) break;
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
export async function fireRule(
  deps: Deps,
  occasion: RuleOccasion,
  standing: Standing = standingOf(deps, [occasion.rule], occasion.happened.clientId),
): Promise<Fault | null> {
  let execution: Execution | null;
  let isResumed: boolean;
  try {
    ({ execution, isResumed } = await decided(deps, occasion, standing));
  } catch (error) {
    return { error, isOnRecord: false };
  }
  if (execution?.status !== 'running') return null;
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

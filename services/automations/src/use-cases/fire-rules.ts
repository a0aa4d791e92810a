import { currentContext, stableId } from '@laurel/lifecycle';
import { isDuplicateKey } from '@laurel/mongo';
import type { Deps } from '../deps';
import { isWithinWindow, type Rule } from '../domain/rule';
import { matches, type Trigger } from '../domain/trigger';
import { decideExecution } from './decide-execution';
import { runExecution } from './run-execution';

/** An event this deep in a chain of rules fires no more (part 3, section 8). */
export const DEPTH_MAX = 5;

/**
 * Lets every active rule that asks for the happening run, by priority and then id; each sees what the
 * ones before it changed. Repeating it repeats nothing: what has run is known by its id, what was left
 * halfway is taken up where it stands.
 */
export async function fireRules(deps: Deps, workspaceId: string, happened: Trigger): Promise<void> {
  const { chain, depth } = currentContext();
  if (depth >= DEPTH_MAX) return;
  for (const rule of await deps.rules.listActive(workspaceId, happened.type)) {
    if (chain.includes(rule.id)) continue;
    if (matches(rule, happened) && isWithinWindow(rule, happened.at))
      await fireRule(deps, rule, happened);
  }
}

/** Runs one rule that asks for the happening, unless it has. */
export async function fireRule(deps: Deps, rule: Rule, happened: Trigger): Promise<void> {
  const id = executionIdOf(rule.id, happened);
  const earlier = await deps.executions.find(rule.workspace_id, id);
  const execution = earlier ?? (await decideOnce(deps, rule, happened, id));
  if (execution?.status === 'running') await runExecution(deps, execution);
}

/** One event fires one rule at most once per client. */
export function executionIdOf(ruleId: string, { eventId, clientId }: Trigger): string {
  return stableId(`${ruleId} ${eventId} ${clientId}`);
}

/** The decision, or the one that another replica made in the same moment. */
async function decideOnce(deps: Deps, rule: Rule, happened: Trigger, id: string) {
  try {
    return await decideExecution(deps, rule, happened, id);
  } catch (error) {
    const other = isDuplicateKey(error) ? await deps.executions.find(rule.workspace_id, id) : null;
    if (other) return other;
    throw error;
  }
}

import type { Deps } from '../deps';

/** Nothing of a deleted workspace stays. Repeating it is harmless. */
export async function removeWorkspace(
  { backtests, executions, rules, runs, triggerBacklog, usages }: Deps,
  workspaceId: string,
): Promise<void> {
  for (const store of [rules, runs, triggerBacklog, backtests, executions, usages])
    await store.removeWorkspace(workspaceId);
}

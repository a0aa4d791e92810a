import type { Deps } from '../deps';

/** Nothing of a deleted workspace stays. Repeating it is harmless. */
export async function removeWorkspace(
  { backtests, executions, rules, runs, usages }: Deps,
  workspaceId: string,
): Promise<void> {
  for (const store of [rules, runs, backtests, executions, usages])
    await store.removeWorkspace(workspaceId);
}

import { commitOnce } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/** Ends a rule. What it did stays on record. */
export async function deleteRule(
  { connection, rules, usages, runs }: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<common.Empty> {
  return commitOnce(connection, async (session) => {
    if (!(await rules.remove(workspaceId, id, session))) throw refusals.ruleNotFound();
    await usages.removeRule(workspaceId, id, session);
    await runs.removeRule(workspaceId, id, session);
    return {};
  });
}

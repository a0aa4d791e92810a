import { commitOnce, requireUnchanged } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/** Ends a rule. What it did stays on record. */
export async function deleteRule(
  { connection, rules, usages, runs }: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<common.Empty> {
  return commitOnce(connection, async (session) => {
    const rule = await rules.find(workspaceId, id, session);
    if (!rule) throw refusals.ruleNotFound();
    requireUnchanged({ ...rule, changedAt: rule.date_updated });
    await rules.remove(rule, session);
    await usages.removeRule(workspaceId, id, session);
    await runs.removeRule(workspaceId, id, session);
    return {};
  });
}

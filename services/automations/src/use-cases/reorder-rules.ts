import { commitOnce } from '@laurel/mongo';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/** Puts all rules of a workspace into the order in which they run; each must be named once. */
export async function reorderRules(
  { connection, rules, clock }: Pick<Deps, 'connection' | 'rules' | 'clock'>,
  { workspace_id: workspaceId, rule_ids }: api.ReorderRulesRequest,
): Promise<api.ReorderedRules> {
  const order = rule_ids ?? [];
  return commitOnce(connection, async (session) => {
    const all = await rules.list(workspaceId, {}, session);
    const known = new Set(all.map(({ id }) => id));
    const isComplete = order.length === known.size && new Set(order).size === known.size;
    if (!isComplete || order.some((id) => !known.has(id)))
      throw refusals.notEveryRule({ field: 'rule_ids' });
    for (const { plan, ...rule } of all) {
      const priority = order.indexOf(rule.id);
      if (rule.priority === priority) continue;
      await rules.replace({ ...rule, priority, date_updated: clock.now() }, plan, session);
    }
    return { rules: order.map((id, priority) => ({ id, priority })) };
  });
}

import { commitOnce } from '@laurel/mongo';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { checkRule } from './check-rule';
import { dueAfter } from './create-rule';
import { fieldsOf, toRuleReply } from './rule-reply';

/** Changes the fields that are named. What the rule has used up of its limits stays. */
export async function updateRule(
  deps: Deps,
  { workspace_id: workspaceId, id, fields }: api.UpdateRuleRequest,
): Promise<api.Rule> {
  const changes = fieldsOf(fields);
  const found = await deps.rules.find(workspaceId, id);
  if (!found) throw refusals.ruleNotFound();
  await checkRule(deps, { ...found, ...changes });
  return commitOnce(deps.connection, async (session) => {
    const current = await deps.rules.find(workspaceId, id, session);
    if (!current) throw refusals.ruleNotFound();
    const { nextRunAt, ...rule } = current;
    const now = deps.clock.now();
    const changed = { ...rule, ...changes, date_updated: now };
    const keepsTime = !(
      'trigger_config' in changes ||
      'trigger_type' in changes ||
      'active' in changes
    );
    await deps.rules.replace(changed, keepsTime ? nextRunAt : dueAfter(changed, now), session);
    return toRuleReply(changed);
  });
}

import { newId } from '@laurel/lifecycle';
import { checkAndCommitOnce } from '@laurel/mongo';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { newRule, type RuleFields } from '../domain/rule';
import { NO_USAGE } from '../domain/usage';
import { checkRule } from './check-rule';
import { zoneOfWorkspace } from './gather-facts';
import { planAfter, replanSchedules } from './plan-schedules';
import { fieldsOf, toRuleReply } from './wire';

type NewFields = Partial<RuleFields> & Pick<RuleFields, 'name' | 'trigger_type' | 'effects'>;

/** Makes a rule; it reacts to what happens from now on. */
export async function createRule(
  deps: Deps,
  { workspace_id: workspaceId, fields }: api.CreateRuleRequest,
): Promise<api.Rule> {
  const now = deps.clock.now();
  const identity = { id: newId(), workspaceId, now };
  const rule = newRule(identity, fieldsOf(fields) as NewFields);
  const check = async () => {
    await checkRule(deps, rule);
    return zoneOfWorkspace(deps, workspaceId);
  };
  const created = await checkAndCommitOnce(deps.connection, check, async (session, zone) => {
    await deps.rules.insert(rule, planAfter(rule, now, zone), session);
    return toRuleReply(rule, NO_USAGE);
  });
  await replanSchedules(deps, workspaceId, rule);
  return created;
}

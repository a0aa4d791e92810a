import { newId } from '@laurel/lifecycle';
import { commitInTurn, repeatable } from '@laurel/mongo';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { newRule, RULES_MAX, type Rule, type RuleFields } from '../domain/rule';
import { NO_USAGE } from '../domain/usage';
import { refusals } from '../refusals';
import type { Plan } from '../store/rules';
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
  const created = await repeatable(deps.connection, async () => {
    await checkRule(deps, rule);
    const zone = await zoneOfWorkspace(deps, workspaceId);
    return addRule(deps, { rule, plan: planAfter(rule, now, zone) });
  });
  await replanSchedules(deps, workspaceId, rule);
  return created;
}

/** Commits a new rule. Throws CONFLICT where the workspace has as many as it may. */
export function addRule(
  { connection, rules }: Pick<Deps, 'connection' | 'rules'>,
  { rule, plan }: { rule: Rule; plan: Plan | null },
): Promise<api.Rule> {
  const { workspace_id: workspaceId } = rule;
  return commitInTurn(connection, { workspaceId, what: 'rules' }, async (session) => {
    if ((await rules.count(workspaceId, session)) >= RULES_MAX) throw refusals.tooManyRules();
    await rules.insert(rule, plan, session);
    return toRuleReply(rule, NO_USAGE);
  });
}

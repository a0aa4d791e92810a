import { newId } from '@laurel/lifecycle';
import { commitOnce } from '@laurel/mongo';
import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { newRule, type Rule, type RuleFields } from '../domain/rule';
import { nextRun } from '../schedule';
import { checkRule } from './check-rule';
import { fieldsOf, toRuleReply } from './rule-reply';

type NewFields = Partial<RuleFields> & Pick<RuleFields, 'name' | 'trigger_type' | 'effects'>;

/** Makes a rule; it reacts to what happens from now on. */
export async function createRule(
  deps: Deps,
  { workspace_id: workspaceId, fields }: api.CreateRuleRequest,
): Promise<api.Rule> {
  const now = deps.clock.now();
  const identity = { id: newId(), workspaceId, now };
  const rule = newRule(identity, fieldsOf(fields) as NewFields);
  await checkRule(deps, rule);
  return commitOnce(deps.connection, async (session) => {
    await deps.rules.insert(rule, dueAfter(rule, now), session);
    return toRuleReply(rule);
  });
}

/** When a rule is next due by the clock; null where it never is. */
export function dueAfter(rule: Rule, after: Date): Date | null {
  const { schedule } = rule.trigger_config;
  if (!rule.active || rule.trigger_type !== 'time_based' || !schedule) return null;
  return nextRun(schedule, after);
}

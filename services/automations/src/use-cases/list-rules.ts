import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { NO_USAGE } from '../domain/usage';
import { toRuleReply } from './wire';

/** The rules of a workspace in the order in which they run. */
export async function listRules(
  { rules, usages }: Pick<Deps, 'rules' | 'usages'>,
  { workspace_id: workspaceId, active, key }: api.ListRulesRequest,
): Promise<api.RuleList> {
  const [found, used] = await Promise.all([
    rules.list(workspaceId, { active, key }),
    usages.ofRules(workspaceId, 'all'),
  ]);
  return { rules: found.map((rule) => toRuleReply(rule, used.get(rule.id) ?? NO_USAGE)) };
}

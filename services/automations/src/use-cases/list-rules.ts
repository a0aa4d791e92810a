import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toRuleReply } from './rule-reply';

/** The rules of a workspace in the order in which they run. */
export async function listRules(
  { rules }: Pick<Deps, 'rules'>,
  { workspace_id: workspaceId, active }: api.ListRulesRequest,
): Promise<api.RuleList> {
  return { rules: (await rules.list(workspaceId, active)).map(toRuleReply) };
}

import type { automations as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toRuleReply } from './rule-reply';

/** One rule of a workspace. */
export async function getRule(
  { rules }: Pick<Deps, 'rules'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Rule> {
  const rule = await rules.find(workspaceId, id);
  if (!rule) throw refusals.ruleNotFound();
  return toRuleReply(rule);
}

import { etagOf } from '@laurel/mongo';
import type { automations as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { usageOf } from './usage-of';
import { toRuleReply } from './wire';

/** One rule of a workspace. */
export async function getRule(
  deps: Pick<Deps, 'rules' | 'usages'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Rule> {
  const rule = await deps.rules.find(workspaceId, id);
  if (!rule) throw refusals.ruleNotFound();
  return { ...toRuleReply(rule, await usageOf(deps, rule)), etag: etagOf(rule) };
}

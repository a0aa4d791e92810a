import type { campaigns as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { unscheduled } from '../domain/campaign';
import { changeCampaign } from './change-campaign';
import { toCampaignReply } from './wire';

/** scheduled -> draft. */
export async function unscheduleCampaign(
  deps: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Campaign> {
  return changeCampaign(deps, { workspaceId, id }, (current) => {
    const campaign = unscheduled(current, deps.clock.now());
    return { campaign, reply: toCampaignReply(campaign) };
  });
}

import type { campaigns as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { findCampaign } from './change-campaign';
import { toCampaignReply } from './replies';

export async function getCampaign(
  deps: Pick<Deps, 'campaigns'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Campaign> {
  return toCampaignReply(await findCampaign(deps, workspaceId, id));
}

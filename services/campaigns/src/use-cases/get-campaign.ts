import { etagOf } from '@laurel/mongo';
import type { campaigns as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { findCampaign } from './change-campaign';
import { toCampaignReply } from './wire';

export async function getCampaign(
  deps: Pick<Deps, 'campaigns'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Campaign> {
  const campaign = await findCampaign(deps, workspaceId, id);
  return { ...toCampaignReply(campaign), etag: etagOf(campaign) };
}

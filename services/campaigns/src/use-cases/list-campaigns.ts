import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toCampaignReply } from './wire';

/** Campaigns of a workspace, newest first. */
export async function* listCampaigns(
  { campaigns }: Pick<Deps, 'campaigns'>,
  { workspace_id: workspaceId, limit, offset, key }: api.ListCampaignsRequest,
): AsyncIterable<api.Campaign> {
  for await (const campaign of campaigns.list(workspaceId, { limit, offset, key }))
    yield toCampaignReply(campaign);
}

import type { campaigns as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Campaign } from '../domain/campaign';
import { findCampaign } from './change-campaign';
import { clientsListed, isActive } from './manual-clients';
import { unlessGone } from './read-audience';

/** How many clients the campaign would be for now. */
export async function countAudience(
  deps: Pick<Deps, 'campaigns' | 'clients'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.AudienceCount> {
  return { total: await audienceSize(deps, await findCampaign(deps, workspaceId, id)) };
}

export async function audienceSize(
  deps: Pick<Deps, 'clients'>,
  { workspace_id: workspaceId, segment_id: segmentId, manual_client_ids: ids }: Campaign,
): Promise<number> {
  if (segmentId !== null) {
    const asked = deps.clients.CountSegment({
      workspace_id: workspaceId,
      id: segmentId,
      status: 'active',
    });
    return (await unlessGone(asked, { total: 0 })).total;
  }
  let total = 0;
  for await (const batch of clientsListed(deps, workspaceId, ids))
    total += batch.filter(isActive).length;
  return total;
}

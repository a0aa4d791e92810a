import { createEvent } from '@laurel/events';
import { commitOnce, requireUnchanged } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { versionOfCampaign } from '../store/mapping';

/**
 * Deletes a campaign in any status. What it did stays done and in the trail of its clients; what it has not done is not
 * done any more. Its audience, which may be large, goes when the event is heard.
 */
export async function deleteCampaign(
  { actions, campaigns, connection, outbox }: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<common.Empty> {
  return commitOnce(connection, async (session) => {
    const campaign = await campaigns.find(workspaceId, id, session);
    if (!campaign) throw refusals.campaignNotFound();
    requireUnchanged(versionOfCampaign(campaign));
    await campaigns.remove(campaign, session);
    await actions.removeCampaign(workspaceId, id, session);
    const data = { campaign_id: id };
    const deleted = createEvent('campaigns.deleted', { workspaceId, subject: id, data });
    await outbox.append([deleted], session);
    return {};
  });
}

import type { campaigns as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { cancelled } from '../domain/campaign';
import { campaignEvent } from './campaign-events';
import { changeCampaign } from './change-campaign';
import { toCampaignReply } from './wire';

/**
 * scheduled or active -> cancelled. What has run stays, the rest is skipped: a worker that executes it finds the work taken
 * away at the next step. An action that was under way waits, pending, until those who were being served are noted: then
 * `leaveCampaign` says what has become of it.
 */
export async function cancelCampaign(
  deps: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Campaign> {
  return changeCampaign(deps, { workspaceId, id }, (current, actions) => {
    const now = deps.clock.now();
    const campaign = cancelled(current, now);
    const underWay = actions.filter(({ status }) => status === 'in_progress');
    return {
      campaign,
      ...(current.status === 'active' ? { work: { seize: now } } : {}),
      write: async (session) => {
        for (const action of underWay)
          await deps.actions.setStatus(action, { status: 'pending' }, session);
        await deps.outbox.append([campaignEvent('campaigns.cancelled', campaign)], session);
      },
      reply: toCampaignReply(campaign),
    };
  });
}

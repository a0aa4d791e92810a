import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { isAhead, scheduled } from '../domain/campaign';
import { changeCampaign, findCampaign } from './change-campaign';
import { requireRunnable } from './check-campaign';
import { toCampaignReply } from './wire';

/** draft -> scheduled: it is launched by itself when its time has come. */
export async function scheduleCampaign(
  deps: Deps,
  { workspace_id: workspaceId, id, scheduled_at: at }: api.ScheduleCampaignRequest,
): Promise<api.Campaign> {
  const draft = await findCampaign(deps, workspaceId, id);
  if (isAhead(draft)) await requireRunnable(deps, draft);
  return changeCampaign(deps, { workspaceId, id }, (current, actions) => {
    const campaign = scheduled(current, {
      at: at === undefined ? null : new Date(at),
      actionCount: actions.length,
      now: deps.clock.now(),
    });
    return { campaign, reply: toCampaignReply(campaign) };
  });
}

import type { Session } from '@laurel/mongo';
import type { campaigns as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type Campaign, isAhead, launched, launchedInTime } from '../domain/campaign';
import { campaignEvent } from './campaign-events';
import { changeCampaign, findCampaign } from './change-campaign';
import { requireRunnable } from './check-campaign';
import { toCampaignReply } from './wire';

/** draft or scheduled -> active: every action is executed from now on, in the background. */
export async function launchCampaign(deps: Deps, request: common.Id): Promise<api.Campaign> {
  const campaign = await findCampaign(deps, request.workspace_id, request.id);
  if (isAhead(campaign)) await requireRunnable(deps, campaign);
  return launch(deps, request, (current, actionCount) =>
    launched(current, { actionCount, now: deps.clock.now() }),
  );
}

/** Launches a scheduled campaign. Throws CONFLICT where it was unscheduled, or scheduled for later, since it was looked for. */
export const launchInTime = (deps: Deps, request: common.Id): Promise<api.Campaign> =>
  launch(deps, request, (current) => launchedInTime(current, deps.clock.now()));

/** The launch itself. A segment that is gone by then is found out by the execution. */
function launch(
  deps: Deps,
  { workspace_id: workspaceId, id }: common.Id,
  become: (current: Campaign, actionCount: number) => Campaign,
): Promise<api.Campaign> {
  return changeCampaign(deps, { workspaceId, id }, (current, actions) => {
    const campaign = become(current, actions.length);
    const ids = actions.map((action) => action.id);
    return {
      campaign,
      work: { wake: deps.clock.now() },
      write: (session) => requestActions(deps, { campaign, ids, isLaunch: true }, session),
      reply: toCampaignReply(campaign),
    };
  });
}

/** Asks for actions to be executed, and tells of the launch where it is one. */
export async function requestActions(
  { actions, outbox }: Pick<Deps, 'actions' | 'outbox'>,
  { campaign, ids, isLaunch }: { campaign: Campaign; ids: readonly string[]; isLaunch: boolean },
  session: Session,
): Promise<void> {
  await actions.request(campaign.workspace_id, ids, session);
  if (isLaunch) await outbox.append([campaignEvent('campaigns.launched', campaign)], session);
}

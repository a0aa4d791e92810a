import { answerBy } from '@laurel/lifecycle';
import type { campaigns as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { executing } from '../domain/campaign';
import { refusals } from '../refusals';
import { changeCampaign, findAction, findCampaign } from './change-campaign';
import { requireRunnable } from './check-campaign';
import { audienceSize } from './count-audience';
import { requestActions } from './launch-campaign';
import { toActionReply } from './wire';
import { workCampaign } from './work-campaigns';

/** Audiences up to this size are waited for (part 3, section 13). */
const AWAITED_MEMBERS_MAX = 100;
const LOOK_AGAIN_MS = 50;
/** Kept back for the answer itself. */
const ANSWER_MS = 1_000;

/** What is to be executed: one action, or every one that is pending. */
type Wanted = { actionId: string } | 'pending';

/** Executes one action; a draft becomes active. Answers when it is done where the audience is small. */
export async function executeAction(
  deps: Deps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Action> {
  const { campaign_id: campaignId } = await findAction(deps, workspaceId, id);
  await execute(deps, { workspaceId, campaignId, wanted: { actionId: id } });
  return toActionReply(await findAction(deps, workspaceId, id));
}

/** Executes every pending action in order; a draft becomes active. Answers as `executeAction` does. */
export async function executeActions(
  deps: Deps,
  { workspace_id: workspaceId, id: campaignId }: common.Id,
): Promise<api.ActionList> {
  await execute(deps, { workspaceId, campaignId, wanted: 'pending' });
  return { actions: (await deps.actions.list(workspaceId, campaignId)).map(toActionReply) };
}

async function execute(
  deps: Deps,
  command: { workspaceId: string; campaignId: string; wanted: Wanted },
): Promise<void> {
  const { workspaceId, campaignId, wanted } = command;
  const before = await findCampaign(deps, workspaceId, campaignId);
  if (before.status === 'draft') await requireRunnable(deps, before);
  const size = before.audience === 'fixed' ? before.members : await audienceSize(deps, before);
  await changeCampaign(deps, { workspaceId, id: campaignId }, (current, actions) => {
    const now = deps.clock.now();
    const isLaunch = current.status === 'draft';
    const campaign = executing(current, { actionCount: actions.length, now });
    const pending = actions.filter(({ requested }) => !requested).map(({ id }) => id);
    if (wanted !== 'pending' && !pending.includes(wanted.actionId))
      throw refusals.alreadyExecuted();
    const ids = wanted === 'pending' ? pending : [wanted.actionId];
    return {
      campaign,
      work: { wake: now },
      write: (session) => requestActions(deps, { campaign, ids, isLaunch }, session),
      reply: {},
    };
  });
  if (size <= AWAITED_MEMBERS_MAX) await awaitRest(deps, workspaceId, campaignId);
}

/** Does the work, or waits for the worker that does it, until nothing is left to do or the caller's time is nearly over. */
async function awaitRest(deps: Deps, workspaceId: string, campaignId: string): Promise<void> {
  const endsAt = answerBy(ANSWER_MS);
  while (Date.now() < endsAt) {
    const isOurs = await workCampaign(deps, campaignId);
    const campaign = await deps.campaigns.findHead(workspaceId, campaignId);
    if (campaign?.status !== 'active' || campaign.workDueAt === null) return;
    if (!isOurs) await deps.pause(LOOK_AGAIN_MS);
  }
}

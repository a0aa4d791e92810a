import { runInContext, systemContext } from '@laurel/lifecycle';
import type { PieceJob } from '@laurel/work';
import type { Deps } from '../deps';
import { isAwaited } from '../domain/action';
import type { Claim, ClaimedCampaign } from '../store/campaigns';
import type { CampaignHead } from '../store/mapping';
import type { Next } from './action-task';
import { fixAudience } from './fix-audience';
import { leaveCampaign, settleCancelled } from './leave-campaign';
import { restCampaign } from './rest-campaign';
import { runAction } from './run-action';
import { CLAIM_MS, retryAt } from './work-times';

/** After that long another campaign gets its turn. */
const SLICE_MS = 5_000;
/** After that long it is looked whether what others are at was done. */
const WAIT_MS = 500;

/**
 * Works for a while on each campaign that waits for a worker: fixes its audience, executes what is asked for, page by page,
 * and lets it rest. Every step may be done again. Workspaces take turns, one campaign at a time each.
 */
export const campaignWorker = (deps: Deps): PieceJob<ClaimedCampaign> => ({
  name: 'work-campaigns',
  due: deps.campaigns.due,
  concurrency: 4,
  share: 1,
  leaseMs: CLAIM_MS,
  clock: deps.clock,
  work: (campaign) => goOn(deps, campaign),
});

/** Works for a while on one campaign; false when there is nothing to do, or somebody else is at it. */
export async function workCampaign(deps: Deps, campaignId: string): Promise<boolean> {
  const claimed = await deps.campaigns.due.claimOne(campaignId, {
    now: deps.clock.now(),
    leaseMs: CLAIM_MS,
  });
  if (claimed) await goOn(deps, claimed.row);
  return claimed !== null;
}

async function goOn(deps: Deps, campaign: ClaimedCampaign): Promise<void> {
  const { workspace_id: workspaceId, id: campaignId, lease } = campaign;
  const context = systemContext({ workspaceId, background: true });
  await runInContext(context, () => work(deps, campaign, { workspaceId, campaignId, lease }));
}

async function work(deps: Deps, { faults }: CampaignHead, claim: Claim): Promise<void> {
  const endsAt = deps.clock.now().getTime() + SLICE_MS;
  try {
    let next: Next = 'at once';
    while (next === 'at once' && deps.clock.now().getTime() < endsAt)
      next = await takeStep(deps, claim);
    const waitMs = next === 'later' ? WAIT_MS : 0;
    await deps.campaigns.release(claim, new Date(deps.clock.now().getTime() + waitMs));
  } catch (error) {
    await deps.campaigns.release(claim, retryAt(deps.clock.now(), faults), faults + 1);
    deps.logger.warn({ err: error, campaign: claim.campaignId }, 'a campaign waits for a service');
  }
}

async function takeStep(deps: Deps, claim: Claim): Promise<Next> {
  const { workspaceId, campaignId } = claim;
  const campaign = await deps.campaigns.findHead(workspaceId, campaignId);
  if (!campaign) return 'not for us';
  if (campaign.status !== 'active') {
    await leaveCampaign(deps, campaign, { claim, noticedAfterMs: CLAIM_MS });
    return 'not for us';
  }
  const actions = await deps.actions.list(workspaceId, campaignId);
  const action = actions.find(isAwaited);
  if (!action) {
    await restCampaign(deps, campaign);
    return 'not for us';
  }
  const until = () => new Date(deps.clock.now().getTime() + CLAIM_MS);
  if (campaign.audience === 'open')
    return fixAudience(deps, { campaign, actions }, { claim, until: until() });
  const next = await runAction(deps, { campaign, actions, action }, { claim, until });
  if (next !== 'not for us') return next;
  const current = await deps.campaigns.findHead(workspaceId, campaignId);
  if (current?.status === 'cancelled') await settleCancelled(deps, current);
  return 'not for us';
}

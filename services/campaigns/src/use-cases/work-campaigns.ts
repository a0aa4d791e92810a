import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import { whileRenewing } from '@laurel/mongo';
import type { Deps } from '../deps';
import { isDone } from '../domain/action';
import type { Claim, StoredCampaign } from '../store/campaigns';
import { fixAudience } from './fix-audience';
import { restCampaign, settleMembers } from './rest-campaign';
import { runAction } from './run-action';

/** How long work stays with a replica that died at it; one that lives renews its claim. */
export const CLAIM_MS = 20_000;
/** After that long another campaign gets its turn. */
const SLICE_MS = 5_000;
const RETRY_MS = 500;
const RETRY_MS_MAX = 30_000;

/** Goes on with the campaign that has waited longest. */
export async function workCampaigns(deps: Deps): Promise<{ more: boolean }> {
  return { more: await workCampaign(deps) };
}

/**
 * Works for a while on a campaign that nobody works on: fixes its audience, executes what is asked for, page by page,
 * and lets it rest. Every step may be done again. False when there is no such campaign.
 */
export async function workCampaign(deps: Deps, campaignId?: string): Promise<boolean> {
  const now = deps.clock.now();
  const lease = newId();
  const wanted = { now, until: claimedUntil(deps), lease };
  const campaign = await deps.campaigns.claim(wanted, campaignId);
  if (!campaign) return false;
  const claim = { workspaceId: campaign.workspace_id, campaignId: campaign.id, lease };
  const context = systemContext({ workspaceId: campaign.workspace_id });
  await runInContext(context, () => work(deps, campaign, claim));
  return true;
}

async function work(deps: Deps, { faults }: StoredCampaign, claim: Claim): Promise<void> {
  const endsAt = deps.clock.now().getTime() + SLICE_MS;
  const renew = () => deps.campaigns.renew(claim, claimedUntil(deps));
  try {
    let goesOn = true;
    while (goesOn && deps.clock.now().getTime() < endsAt)
      goesOn = await whileRenewing(CLAIM_MS, renew, () => takeStep(deps, claim));
    await deps.campaigns.release(claim, deps.clock.now());
  } catch (error) {
    const waitMs = Math.min(RETRY_MS * 2 ** faults, RETRY_MS_MAX);
    const dueAt = new Date(deps.clock.now().getTime() + waitMs);
    await deps.campaigns.release(claim, dueAt, faults + 1);
    deps.logger.warn({ err: error, campaign: claim.campaignId }, 'a campaign waits for a service');
  }
}

/** False when there is nothing more to do, or no longer for us. */
async function takeStep(deps: Deps, claim: Claim): Promise<boolean> {
  const { workspaceId, campaignId } = claim;
  const campaign = await deps.campaigns.find(workspaceId, campaignId);
  if (!campaign) return false;
  if (campaign.status !== 'active') {
    await leave(deps, campaign, claim);
    return false;
  }
  const actions = await deps.actions.list(workspaceId, campaignId);
  if (campaign.audience === 'open')
    return fixAudience(deps, { campaign, actions }, claim, claimedUntil(deps));
  const action = actions.find((each) => each.requested && !isDone(each));
  if (action)
    return runAction(deps, { campaign, actions, action }, claim, () => claimedUntil(deps));
  await restCampaign(deps, campaign);
  return false;
}

/**
 * Clears up after a cancellation: at once, and again when whoever was at work then must have noticed.
 */
async function leave(deps: Deps, campaign: StoredCampaign, claim: Claim): Promise<void> {
  await settleMembers(deps, campaign.workspace_id, campaign.id);
  const noticedAt = new Date((campaign.cancelled_at?.getTime() ?? 0) + CLAIM_MS);
  if (noticedAt <= deps.clock.now()) await deps.campaigns.endWork(claim);
  else await deps.campaigns.release(claim, noticedAt);
}

function claimedUntil({ clock }: Pick<Deps, 'clock'>): Date {
  return new Date(clock.now().getTime() + CLAIM_MS);
}

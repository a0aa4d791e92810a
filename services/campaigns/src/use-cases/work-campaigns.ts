import { runInContext, systemContext } from '@laurel/lifecycle';
import type { PieceJob } from '@laurel/work';
import type { Deps } from '../deps';
import { isAwaited } from '../domain/action';
import type { Claim, ClaimedCampaign } from '../store/campaigns';
import type { StoredCampaign } from '../store/mapping';
import { fixAudience } from './fix-audience';
import { leaveCampaign, settleCancelled } from './leave-campaign';
import { restCampaign } from './rest-campaign';
import { runAction } from './run-action';

/** How long work stays with a replica that died at it; one that lives renews its claim. */
export const CLAIM_MS = 20_000;
/** After that long another campaign gets its turn. */
const SLICE_MS = 5_000;
const RETRY_MS = 500;
const RETRY_MS_MAX = 30_000;

/**
 * Works for a while on each campaign that nobody works on: fixes its audience, executes what is asked for, page by page,
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

async function work(deps: Deps, { faults }: StoredCampaign, claim: Claim): Promise<void> {
  const endsAt = deps.clock.now().getTime() + SLICE_MS;
  try {
    let goesOn = true;
    while (goesOn && deps.clock.now().getTime() < endsAt) goesOn = await takeStep(deps, claim);
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
    await leaveCampaign(deps, campaign, { claim, noticedAfterMs: CLAIM_MS });
    return false;
  }
  const actions = await deps.actions.list(workspaceId, campaignId);
  const action = actions.find(isAwaited);
  if (!action) {
    await restCampaign(deps, campaign);
    return false;
  }
  if (campaign.audience === 'open')
    return fixAudience(deps, { campaign, actions }, { claim, until: claimedUntil(deps) });
  const task = { campaign, actions, action };
  if (await runAction(deps, task, { claim, until: () => claimedUntil(deps) })) return true;
  const current = await deps.campaigns.find(workspaceId, campaignId);
  if (current?.status === 'cancelled') await settleCancelled(deps, current);
  return false;
}

function claimedUntil({ clock }: Pick<Deps, 'clock'>): Date {
  return new Date(clock.now().getTime() + CLAIM_MS);
}

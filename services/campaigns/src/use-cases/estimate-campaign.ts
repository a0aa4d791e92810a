import type { CampaignShortfall } from '@laurel/contract';
import type {
  campaigns as api,
  clients as clientsApi,
  common,
  rewards as rewardsApi,
} from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Action } from '../domain/action';
import { type Campaign, hasAudience, isAhead } from '../domain/campaign';
import {
  type ActionEstimate,
  assignedBefore,
  estimateActions,
  type Supply,
} from '../domain/estimate';
import { findCampaign } from './change-campaign';
import { idsListed } from './manual-clients';
import { unlessGone } from './read-audience';

type EstimateDeps = Pick<Deps, 'actions' | 'campaigns' | 'clients' | 'clock' | 'rewards' | 'tiers'>;

const NOBODY = { total: 0, reachable: 0, consenting: 0, addressable: 0 };

/**
 * Whom each action of a campaign would come to, whom not and why, and what it would take. The audience is
 * looked at as of now; rewards as they will be when the campaign runs. Counted, not walked, so for large audiences too.
 */
export async function estimateCampaign(
  deps: EstimateDeps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Estimate> {
  const campaign = await findCampaign(deps, workspaceId, id);
  const actions = await deps.actions.list(workspaceId, id);
  const [supplies, tierIds] = await Promise.all([
    measureSupplies(deps, campaign, actions),
    assignableTiers(deps, workspaceId, actions),
  ]);
  const gifts = giftsOf(supplies, assignedBefore(actions, tierIds), actions);
  const measured = await measureAudience(deps, campaign, gifts);
  const { admissions, loyalty_enabled: loyaltyEnabled = measured.total, ...reach } = measured;
  const byReward = new Map(
    supplies.map((supply) => [
      supply.reward_id,
      toSupply(
        supply,
        gifts.flatMap((gift, at) =>
          gift.supply === supply ? [{ ...gift, admission: admissions[at] }] : [],
        ),
      ),
    ]),
  );
  const findings = { supplies: byReward, tierIds };
  const { total, reachable, consenting } = reach;
  const by_action = estimateActions(actions, { ...reach, loyaltyEnabled }, findings).map(toReply);
  return { total, reachable, consenting, by_action };
}

/** What there is of a reward, and the tier that the audience has been put into by then. */
interface Gift {
  supply: rewardsApi.Supply;
  assigned: string | null;
}

/** Each reward once for each tier before it. */
function giftsOf(
  supplies: readonly rewardsApi.Supply[],
  assigned: readonly (string | null)[],
  actions: readonly Action[],
): Gift[] {
  return supplies.flatMap((supply) => {
    const tiers = actions.flatMap((action, at) =>
      rewardsOf(action).includes(supply.reward_id) ? [assigned[at] ?? null] : [],
    );
    return [...new Set(tiers)].map((tier) => ({ supply, assigned: tier }));
  });
}

const rewardsOf = (action: Action): string[] =>
  action.action_type === 'give_reward' ? action.action_config.reward_ids : [];

/** Those of the tiers that actions assign which can be assigned. */
async function assignableTiers(
  { tiers }: Pick<Deps, 'tiers'>,
  workspace_id: string,
  actions: readonly Action[],
): Promise<Set<string>> {
  const ids = actions.flatMap((action) =>
    action.action_type === 'assign_tier' ? [action.action_config.tier_id] : [],
  );
  if (ids.length === 0) return new Set();
  const found = (await tiers.GetTiers({ workspace_id, ids: [...new Set(ids)] })).tiers;
  return new Set(found.filter(({ kind }) => kind === 'exclusive').map(({ id }) => id));
}

/** What there is of the rewards that the actions give, at the time for which the campaign is planned. */
async function measureSupplies(
  { clock, rewards }: Pick<Deps, 'clock' | 'rewards'>,
  campaign: Campaign,
  actions: readonly Action[],
): Promise<rewardsApi.Supply[]> {
  const ids = actions.flatMap(rewardsOf);
  if (ids.length === 0) return [];
  const now = clock.now();
  const { workspace_id, scheduled_at: plannedFor } = campaign;
  const at = isAhead(campaign) && plannedFor !== null && plannedFor > now ? plannedFor : now;
  const request = { workspace_id, ids: [...new Set(ids)], at: at.toISOString() };
  return (await rewards.MeasureSupplies(request)).supplies;
}

async function measureAudience(
  { clients }: Pick<Deps, 'clients'>,
  campaign: Campaign,
  gifts: readonly Gift[],
): Promise<clientsApi.AudienceMeasure> {
  const nobody = { ...NOBODY, admissions: [] };
  if (!hasAudience(campaign)) return nobody;
  const { workspace_id, segment_id } = campaign;
  const asked = clients.MeasureAudience({
    workspace_id,
    ...(segment_id === null ? {} : { segment_id }),
    client_ids: [...(await idsListed({ clients }, campaign))],
    locks: gifts.map(({ supply, assigned }) => ({
      tier_ids: supply.visibility_tiers,
      segment_ids: supply.visibility_segments,
      ...(assigned === null ? {} : { assigned_tier_id: assigned }),
    })),
  });
  return unlessGone(asked, nobody);
}

function toSupply(
  { reason, cost_in_points, uses_left, coupons_left }: rewardsApi.Supply,
  gifts: readonly (Gift & { admission: clientsApi.AudienceAdmission | undefined })[],
): Supply {
  return {
    reason: (reason ?? null) as CampaignShortfall | null,
    costInPoints: cost_in_points,
    usesLeft: uses_left ?? null,
    couponsLeft: coupons_left ?? null,
    admissions: new Map(
      gifts.map(({ assigned, admission }) => [
        assigned,
        { byTier: admission?.by_tier ?? 0, admitted: admission?.admitted ?? 0 },
      ]),
    ),
  };
}

function toReply({ actionId, shortfalls, ...estimate }: ActionEstimate): api.ActionEstimate {
  return {
    action_id: actionId,
    customers: estimate.customers,
    points: estimate.points,
    coupons_needed: estimate.couponsNeeded,
    coupons_left: estimate.couponsLeft,
    shortfalls: shortfalls.map(({ reason, customers, rewardId }) => ({
      reason,
      customers,
      reward_id: rewardId,
    })),
  };
}

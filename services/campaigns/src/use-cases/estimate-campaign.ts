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
import { type ActionEstimate, estimateActions, type Supply } from '../domain/estimate';
import { findCampaign } from './change-campaign';
import { unlessGone } from './read-audience';

type EstimateDeps = Pick<Deps, 'actions' | 'campaigns' | 'clients' | 'clock' | 'rewards'>;

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
  const supplies = await measureSupplies(deps, campaign, actions);
  const { admissions, ...reach } = await measureAudience(deps, campaign, supplies);
  const byReward = new Map(
    supplies.map((supply, at) => [supply.reward_id, toSupply(supply, admissions[at])]),
  );
  const { total, reachable, consenting } = reach;
  const by_action = estimateActions(actions, reach, byReward).map(toReply);
  return { total, reachable, consenting, by_action };
}

/** What there is of the rewards that the actions give, at the time for which the campaign is planned. */
async function measureSupplies(
  { clock, rewards }: Pick<Deps, 'clock' | 'rewards'>,
  campaign: Campaign,
  actions: readonly Action[],
): Promise<rewardsApi.Supply[]> {
  const ids = actions.flatMap((action) =>
    action.action_type === 'give_reward' ? action.action_config.reward_ids : [],
  );
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
  supplies: readonly rewardsApi.Supply[],
): Promise<clientsApi.AudienceMeasure> {
  const nobody = { ...NOBODY, admissions: [] };
  if (!hasAudience(campaign)) return nobody;
  const { workspace_id, segment_id, manual_client_ids } = campaign;
  const asked = clients.MeasureAudience({
    workspace_id,
    ...(segment_id === null ? {} : { segment_id }),
    client_ids: [...manual_client_ids],
    locks: supplies.map(({ visibility_tiers, visibility_segments }) => ({
      tier_ids: visibility_tiers,
      segment_ids: visibility_segments,
    })),
  });
  return unlessGone(asked, nobody);
}

function toSupply(
  { reason, cost_in_points, uses_left, coupons_left }: rewardsApi.Supply,
  admission: clientsApi.AudienceAdmission | undefined,
): Supply {
  return {
    reason: (reason ?? null) as CampaignShortfall | null,
    costInPoints: cost_in_points,
    usesLeft: uses_left ?? null,
    couponsLeft: coupons_left ?? null,
    byTier: admission?.by_tier ?? 0,
    admitted: admission?.admitted ?? 0,
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

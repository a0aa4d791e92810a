import type { campaigns as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Action } from '../domain/action';
import { type AudienceFigures, actionFigures, figuresOf } from '../domain/audience';
import type { CampaignHead } from '../store/mapping';
import { findHead } from './change-campaign';
import { timestampOf } from './wire';

type StatisticsDeps = Pick<Deps, 'actions' | 'audience' | 'campaigns' | 'tiers'>;

/** How far a campaign has come. Rewards and tiers count what its actions gave. */
export async function getStatistics(
  deps: StatisticsDeps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Statistics> {
  const campaign = await findHead(deps, workspaceId, id);
  const [actions, groups] = await Promise.all([
    deps.actions.list(workspaceId, id),
    deps.audience.groups(workspaceId, id),
  ]);
  const figures = figuresOf(groups);
  return {
    campaign_id: id,
    status: campaign.status,
    total_targeted: campaign.members,
    audience_pending: figures.byStatus.pending,
    audience_processing: figures.byStatus.processing,
    audience_completed: figures.byStatus.completed,
    audience_failed: figures.byStatus.failed,
    audience_unreachable: figures.byStatus.unreachable,
    ...actionFigures(actions.map(({ status }) => status)),
    rewards_issued: figures.rewardsIssued,
    tiers: await tierFigures(deps, campaign, { actions, figures }),
    scheduled_at: timestampOf(campaign.scheduled_at),
    started_at: timestampOf(campaign.started_at),
    completed_at: timestampOf(campaign.completed_at),
  };
}

const NOBODY = { completed: 0, failed: 0, unreachable: 0 };

/** How often each action was tried and what came of it, and how many it could not be tried on. */
export async function getActionStats(
  deps: Pick<Deps, 'actions' | 'audience' | 'campaigns'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.ActionStatsList> {
  await findHead(deps, workspaceId, id);
  const actions = await deps.actions.list(workspaceId, id);
  const { byAction } = figuresOf(await deps.audience.groups(workspaceId, id));
  const stats = actions.map((action) => {
    const { completed, failed, unreachable } = byAction.get(action.id) ?? NOBODY;
    const attempted = completed + failed;
    return { campaign_action_id: action.id, attempted, completed, failed, unreachable };
  });
  return { stats };
}

/** The tiers that actions assign: to how many clients they are to go, and to how many they went. */
async function tierFigures(
  { tiers }: Pick<Deps, 'tiers'>,
  { workspace_id, clients }: CampaignHead,
  { actions, figures }: { actions: readonly Action[]; figures: AudienceFigures },
): Promise<api.TierFigures[]> {
  const assigning = actions.filter((action) => action.action_type === 'assign_tier');
  if (assigning.length === 0) return [];
  const ids = [...new Set(assigning.map(({ action_config }) => action_config.tier_id))];
  const known = new Map((await tiers.GetTiers({ workspace_id, ids })).tiers.map((t) => [t.id, t]));
  return ids.map((tierId) => {
    const own = assigning.filter(({ action_config }) => action_config.tier_id === tierId);
    const sum = (result: 'completed' | 'failed') =>
      own.reduce((total, { id }) => total + (figures.byAction.get(id)?.[result] ?? 0), 0);
    return {
      tier_id: tierId,
      tier_name: known.get(tierId)?.name ?? null,
      tier_color: known.get(tierId)?.color ?? null,
      total: clients * own.length,
      completed: sum('completed'),
      failed: sum('failed'),
    };
  });
}

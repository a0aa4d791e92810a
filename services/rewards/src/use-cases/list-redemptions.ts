import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { requireStanding } from './gather-facts';
import { viewRedemptions } from './view-redemptions';

export async function listRedemptions(
  deps: Pick<Deps, 'redemptions' | 'coupons' | 'rewards' | 'clients'>,
  request: api.ListRedemptionsRequest,
): Promise<api.RedemptionPage> {
  const { workspace_id: workspaceId, limit, offset } = request;
  await requireNamed(deps, request);
  const filter = {
    rewardId: request.reward_id,
    clientId: request.client_id,
    status: request.status,
    source: request.source,
    from: momentOf(request.from_date),
    to: momentOf(request.to_date),
  };
  const { redemptions, total } = await deps.redemptions.list(workspaceId, filter, {
    limit,
    offset,
  });
  const views = await viewRedemptions(deps, workspaceId, redemptions);
  return { redemptions: views, total_count: total };
}

/** An id that names nothing in the workspace is a mistake worth telling (part 3, section 1.1). */
async function requireNamed(
  deps: Pick<Deps, 'rewards' | 'clients'>,
  {
    workspace_id: workspaceId,
    reward_id: rewardId,
    client_id: clientId,
  }: api.ListRedemptionsRequest,
): Promise<void> {
  if (rewardId !== undefined && !(await deps.rewards.find(workspaceId, rewardId)))
    throw refusals.unknownReward();
  if (clientId !== undefined) await requireStanding(deps, workspaceId, clientId);
}

export function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

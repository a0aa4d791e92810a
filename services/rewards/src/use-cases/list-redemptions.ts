import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { viewRedemptions } from './view-redemptions';

export async function listRedemptions(
  deps: Pick<Deps, 'redemptions' | 'coupons' | 'rewards'>,
  request: api.ListRedemptionsRequest,
): Promise<api.RedemptionPage> {
  const { workspace_id: workspaceId, limit, offset } = request;
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

export function momentOf(text: string | undefined): Date | undefined {
  return text === undefined ? undefined : new Date(text);
}

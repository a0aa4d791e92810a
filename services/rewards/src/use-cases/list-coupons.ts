import type { CouponStatus } from '@laurel/contract';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireReward } from './get-reward';
import { toCouponReply } from './wire';

export async function listCoupons(
  deps: Pick<Deps, 'rewards' | 'coupons'>,
  { workspace_id, reward_id, status, limit, offset }: api.ListCouponsRequest,
): Promise<api.CouponPage> {
  await requireReward(deps, workspace_id, reward_id);
  const only = { rewardId: reward_id, status: status as CouponStatus | undefined };
  const page = await deps.coupons.list(workspace_id, only, { limit, offset });
  return { coupons: page.coupons.map(toCouponReply), total: page.total };
}

import type { passes as api, rewards } from '@laurel/rpc';
import type { MobileDeps } from '../../deps';
import { withoutHidden } from '../../domain/mobile/hiding';
import { openApp } from './open-app';

/** Whether a code is good, and as much of whose it is as staff may see. */
export async function validateMobileCoupon(
  deps: Pick<MobileDeps, 'mobileApps' | 'rewards'>,
  request: api.MobileCouponRequest,
): Promise<rewards.CouponVerdict> {
  const config = await openApp(deps, request);
  const { workspace_id, code } = request;
  const verdict = await deps.rewards.ValidateCoupon({ workspace_id, code });
  const { client } = verdict;
  if (!client) return verdict;
  const { custom_fields: _none, ...holder } = withoutHidden(config?.hidden_fields, {
    ...client,
    custom_fields: {},
  });
  const { id, first_name, last_name, email } = holder;
  return { ...verdict, client: { id, first_name, last_name, email } };
}

/** Marks what somebody redeemed as used at the counter, or takes that back. */
export async function useMobileRedemption(
  deps: Pick<MobileDeps, 'mobileApps' | 'rewards'>,
  request: api.MobileRedemptionRequest,
): Promise<rewards.RedemptionWithCoupon> {
  await openApp(deps, request);
  const { workspace_id, id, used } = request;
  return deps.rewards.UseRedemption({ workspace_id, id, used });
}

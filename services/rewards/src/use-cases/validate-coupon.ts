import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { doubtAbout } from '../domain/coupon';
import { viewRedemptions } from './view-redemptions';
import { toCouponReply } from './wire';

/** Whether a code that somebody presents is to be honoured, and whose it is. */
export async function validateCoupon(
  deps: Pick<Deps, 'coupons' | 'redemptions' | 'rewards' | 'clients'>,
  { workspace_id: workspaceId, code }: api.ValidateCouponRequest,
): Promise<api.CouponVerdict> {
  const coupon = await deps.coupons.findByCode(workspaceId, code);
  const holderId = coupon?.redemption_id ?? coupon?.released_by ?? null;
  const redemption = holderId ? await deps.redemptions.find(workspaceId, holderId) : null;
  const reason = doubtAbout(coupon, redemption);
  const [[view], client] = await Promise.all([
    viewRedemptions(deps, workspaceId, redemption ? [redemption] : []),
    redemption ? holderOf(deps, workspaceId, redemption.client_id) : undefined,
  ]);
  return {
    valid: reason === null,
    reason,
    ...(coupon ? { coupon: toCouponReply(coupon) } : {}),
    ...(view ? { redemption: view } : {}),
    ...(client ? { client } : {}),
  };
}

async function holderOf(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  clientId: string,
): Promise<api.CouponHolder | undefined> {
  const request = { workspace_id: workspaceId, ids: [clientId] };
  const [client] = (await clients.GetClients(request)).clients;
  if (!client) return undefined;
  const { id, first_name, last_name, email } = client;
  return { id, first_name, last_name, email };
}

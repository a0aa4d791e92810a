import type { rewards as api } from '@laurel/rpc';
import { toDecimal } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { balanceAfter, costOf, type Facts, reasonAgainst } from '../domain/availability';
import type { Reason } from '../refusals';
import { hasCoupon } from './assign-coupon';
import { gatherFacts } from './gather-facts';
import { askedRedemption, newAttempt, type RedeemCommand } from './redeem-reward';

/** What redeeming would answer at this moment; writes nothing. */
export async function previewRedemption(
  deps: Deps,
  request: api.RedeemRewardRequest,
): Promise<api.RedemptionPreview> {
  const command = askedRedemption(request);
  const facts = await gatherFacts(deps, command);
  const reason = await foreseenReason(deps, command, facts);
  const balance = balanceAfter(facts, reason === null);
  return {
    would_succeed: reason === null,
    reason,
    points_cost: toDecimal(costOf(facts.reward, facts.payment)),
    balance_after: balance === null ? null : toDecimal(balance),
  };
}

/** That a pattern is used up shows only by drawing from it. */
async function foreseenReason(
  deps: Deps,
  command: RedeemCommand,
  facts: Facts,
): Promise<Reason | null> {
  const reason = reasonAgainst(facts);
  if (reason) return reason;
  return (await hasCoupon(deps, newAttempt(command, facts))) ? null : 'out_of_coupons';
}

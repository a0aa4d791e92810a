import type { rewards as api } from '@laurel/rpc';
import { toDecimal } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { balanceAfter, costOf, reasonAgainst } from '../domain/availability';
import { gatherFacts } from './gather-facts';

/** What redeeming would answer at this moment; writes nothing. */
export async function previewRedemption(
  deps: Deps,
  request: api.RedeemRewardRequest,
): Promise<api.RedemptionPreview> {
  const facts = await gatherFacts(deps, {
    workspaceId: request.workspace_id,
    rewardId: request.reward_id,
    clientId: request.client_id,
    payment: request.skip_points_cost ? 'skipped' : 'points',
    purchasableOnly: request.purchasable_only === true,
  });
  const reason = reasonAgainst(facts);
  const balance = balanceAfter(facts, reason === null);
  return {
    would_succeed: reason === null,
    reason,
    points_cost: toDecimal(costOf(facts.reward, facts.payment)),
    balance_after: balance === null ? null : toDecimal(balance),
  };
}

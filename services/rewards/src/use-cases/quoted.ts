import type { rewards as api } from '@laurel/rpc';
import { toDecimal } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { asIfGiven, reasonAgainst } from '../domain/availability';
import { refusals } from '../refusals';
import { hasCoupon } from './assign-coupon';
import { paymentOf, speakingOurs } from './drive-attempt';
import { gatherFacts } from './gather-facts';
import { newAttempt, type RedeemCommand } from './redeem-reward';

/**
 * What a redemption would come to as things stand, decided as redeeming decides it: by the reward's own rules, by the
 * ledger where it costs something, by the codes that are left. Refused with the same reasons; writes nothing.
 *
 * @param givenBefore how often the client is thought to have got the reward before, beyond what is on record
 */
export async function quoted(
  deps: Deps,
  command: RedeemCommand,
  givenBefore = 0,
): Promise<api.RedemptionQuote> {
  const facts = asIfGiven(await gatherFacts(deps, command), givenBefore);
  const reason = reasonAgainst(facts);
  if (reason) throw refusals[reason]();
  const attempt = newAttempt(command, facts);
  const payment =
    attempt.cost > 0 ? await speakingOurs(deps.ledger.QuoteSpend(paymentOf(attempt))) : null;
  if (!(await hasCoupon(deps, attempt, givenBefore))) throw refusals.out_of_coupons();
  return {
    points_cost: toDecimal(attempt.cost),
    wallet_type_code: payment?.wallet_type_code ?? null,
    balance_after: payment?.balance_after ?? null,
    reward_name: facts.reward.name,
  };
}

import { toDecimal } from '@laurel/amount';
import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { reasonAgainst } from '../domain/availability';
import { refusals } from '../refusals';
import { requireCoupon } from './assign-coupon';
import { paymentOf, speakingOurs } from './drive-attempt';
import { gatherFacts } from './gather-facts';
import { newAttempt, type RedeemCommand } from './redeem-reward';

/**
 * What a redemption would come to as things stand, decided as redeeming decides it: by the reward's own rules, by the
 * ledger where it costs something, by the codes that are left. Refused with the same reasons; writes nothing.
 */
export async function quoted(deps: Deps, command: RedeemCommand): Promise<api.RedemptionQuote> {
  const facts = await gatherFacts(deps, command);
  const reason = reasonAgainst(facts);
  if (reason) throw refusals[reason]();
  const attempt = newAttempt(command, facts);
  const payment =
    attempt.cost > 0 ? await speakingOurs(deps.ledger.QuoteSpend(paymentOf(attempt))) : null;
  await requireCoupon(deps, attempt);
  return {
    points_cost: toDecimal(attempt.cost),
    wallet_type_code: payment?.wallet_type_code ?? null,
  };
}

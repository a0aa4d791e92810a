import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { quoted } from './quoted';
import { askedRedemption } from './redeem-reward';

/** What redeeming a reward would cost, and from which wallet; refused as redeeming it would be. */
export function quoteRedemption(
  deps: Deps,
  request: api.RedeemRewardRequest,
): Promise<api.RedemptionQuote> {
  return quoted(deps, askedRedemption(request));
}

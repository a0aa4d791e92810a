import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { askedGift } from './give-reward';
import { quoted } from './quoted';

/** What giving a reward away would come to; refused as giving it would be. */
export function quoteGift(
  deps: Deps,
  request: api.GiveRewardRequest,
): Promise<api.RedemptionQuote> {
  return quoted(deps, askedGift(request), request.given_before);
}

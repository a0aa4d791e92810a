import type { rewards as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { askedGift } from './give-reward';
import { quoted } from './quoted';

/** What giving a reward away would come to, at present or at a moment; refused as giving it would be. */
export function quoteGift(
  deps: Deps,
  request: api.GiveRewardRequest,
): Promise<api.RedemptionQuote> {
  const { at, given_before: givenBefore } = request;
  const clock = at === undefined ? deps.clock : { ...deps.clock, now: () => new Date(at) };
  return quoted({ ...deps, clock }, askedGift(request), givenBefore);
}

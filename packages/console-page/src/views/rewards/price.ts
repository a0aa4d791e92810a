import type { Reward, WalletType } from '@laurel/client';
import type { Console } from '../../console';
import { payerOf } from './payer-of';

type Priced = Pick<Reward, 'cost_in_points'> & Partial<Pick<Reward, 'wallet_type_id'>>;

/** What a customer pays for a reward: nothing without a currency, whatever number it has as its price. */
export const priceOf = ({ cost_in_points, wallet_type_id }: Priced): number =>
  wallet_type_id ? cost_in_points : 0;

/**
 * Whether customers find a reward in the portal, on their card and at the till. One that no currency pays for they do not,
 * whatever is wanted of it (part 1, Reward: `purchasable` is forced).
 */
export const isShown = ({
  wallet_type_id,
  purchasable = true,
}: Partial<Pick<Reward, 'wallet_type_id' | 'purchasable'>>): boolean =>
  Boolean(wallet_type_id) && purchasable;

/** What a customer pays, in words. */
export function sayPrice(
  { format, language: { say } }: Pick<Console, 'format' | 'language'>,
  reward: Priced,
  types: readonly WalletType[] | undefined,
): string {
  const price = priceOf(reward);
  return price === 0 ? say('reward.free') : format.units(price, payerOf(reward, types));
}

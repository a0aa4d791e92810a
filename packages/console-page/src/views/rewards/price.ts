import type { Reward, WalletType } from '@laurel/client';
import type { Console } from '../../console';
import { payerOf } from './payer-of';

type Priced = Pick<Reward, 'cost_in_points'> & Partial<Pick<Reward, 'wallet_type_id'>>;

/** What a customer pays for a reward: nothing without a currency, whatever number it has as its price. */
export const priceOf = ({ cost_in_points, wallet_type_id }: Priced): number =>
  wallet_type_id ? cost_in_points : 0;

/** The same in words. */
export function sayPrice(
  { format, language: { say } }: Pick<Console, 'format' | 'language'>,
  reward: Priced,
  types: readonly WalletType[] | undefined,
): string {
  const price = priceOf(reward);
  return price === 0 ? say('reward.free') : format.units(price, payerOf(reward, types));
}

import type { RewardsCreateBody, WalletType } from '@laurel/client';
import type { ReactNode } from 'react';
import { useConsole } from '../../console';
import { isShown, sayPrice } from './price';

/** What a reward costs its customers; where they do not see it, that: what no currency pays for has no price to be named. */
export function RewardPrice({
  reward,
  types,
}: {
  reward: Pick<RewardsCreateBody, 'cost_in_points' | 'wallet_type_id' | 'purchasable'>;
  types: readonly WalletType[] | undefined;
}): ReactNode {
  const shop = useConsole();
  return (
    <>
      {reward.wallet_type_id && <p>{sayPrice(shop, reward, types)}</p>}
      {!isShown(reward) && <p className="hint">{shop.language.say('reward.unseen')}</p>}
    </>
  );
}

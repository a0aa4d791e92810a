import { attemptIndexes } from './store/attempts';
import { couponIndexes } from './store/coupons';
import { dailyRedemptionIndexes } from './store/daily-redemptions';
import { redemptionIndexes } from './store/redemptions';
import { rewardIndexes } from './store/rewards';
import { usageIndexes } from './store/usages';

/** Every index of this service; correctness rests on the unique ones. */
export const indexes = [
  attemptIndexes,
  couponIndexes,
  dailyRedemptionIndexes,
  redemptionIndexes,
  rewardIndexes,
  usageIndexes,
];

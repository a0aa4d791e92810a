import { ofEveryService } from '@laurel/backend';
import { type Declared, departures } from '@laurel/mongo';
import { attempts } from './store/attempts';
import { coupons } from './store/coupons';
import { dailyRedemptions } from './store/daily-redemptions';
import { redemptions } from './store/redemptions';
import { rewards } from './store/rewards';
import { usages } from './store/usages';

/** Everything that this service keeps. */
export const collections: readonly Declared[] = [
  attempts,
  coupons,
  dailyRedemptions,
  departures,
  redemptions,
  rewards,
  usages,
  ...ofEveryService,
];

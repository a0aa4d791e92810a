import { ofEveryService } from '@laurel/backend';
import type { Declared } from '@laurel/mongo';
import { codes } from './store/codes';
import { distributions } from './store/distributions';
import { people } from './store/people';
import { programs } from './store/programs';
import { referrals } from './store/referrals';

/** Everything that this service keeps. */
export const collections: readonly Declared[] = [
  programs,
  codes,
  referrals,
  people,
  distributions,
  ...ofEveryService,
];

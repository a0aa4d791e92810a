import type { CollectionIndexes } from '@laurel/mongo';
import { codeIndexes } from './store/codes';
import { distributionIndexes } from './store/distributions';
import { personIndexes } from './store/people';
import { programIndexes } from './store/programs';
import { referralIndexes } from './store/referrals';

/** Every index of this service's own collections. */
export const indexes: readonly CollectionIndexes[] = [
  codeIndexes,
  distributionIndexes,
  personIndexes,
  programIndexes,
  referralIndexes,
];

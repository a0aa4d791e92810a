import type { CollectionIndexes } from '@laurel/mongo';
import { activityIndexes } from './store/activity';
import { addressProofIndexes } from './store/address-proofs';
import { clientIndexes } from './store/clients';
import { dailySignupIndexes } from './store/daily-signups';
import { eventIndexes } from './store/events';
import { fieldIndexes } from './store/fields';
import { identityIndexes } from './store/identities';
import { importIndexes } from './store/imports';
import { metricsIndexes } from './store/metrics';
import { passIndexIndexes } from './store/pass-index';
import { processIndexes } from './store/processes';
import { profileIndexes } from './store/profiles';
import { searchIndexes } from './store/search';
import { segmentIndexes } from './store/segments';
import { tombstoneIndexes } from './store/tombstones';

/** Every index of this service's own collections. */
export const indexes: readonly CollectionIndexes[] = [
  addressProofIndexes,
  ...activityIndexes,
  clientIndexes,
  dailySignupIndexes,
  eventIndexes,
  fieldIndexes,
  identityIndexes,
  ...importIndexes,
  metricsIndexes,
  passIndexIndexes,
  processIndexes,
  profileIndexes,
  searchIndexes,
  ...segmentIndexes,
  tombstoneIndexes,
];

import { ofEveryService } from '@laurel/backend';
import type { Declared } from '@laurel/mongo';
import { activityMarks, activityTallies } from './store/activity';
import { addressProofs } from './store/address-proofs';
import { backfillParts } from './store/backfill-parts';
import { backfills } from './store/backfills';
import { clients } from './store/clients';
import { dailySignups } from './store/daily-signups';
import { events } from './store/events';
import { fields } from './store/fields';
import { identities } from './store/identities';
import { importChunks } from './store/import-files';
import { importJobs } from './store/imports';
import { clientMetrics } from './store/metrics';
import { passIndex } from './store/pass-index';
import { processes } from './store/processes';
import { profiles } from './store/profiles';
import { searchTexts } from './store/search';
import { segmentLocks, segments } from './store/segments';
import { tombstones } from './store/tombstones';

/** Everything that this service keeps; work on its way goes first, so that it makes nothing anew. */
export const collections: readonly Declared[] = [
  importJobs,
  importChunks,
  processes,
  clients,
  searchTexts,
  profiles,
  identities,
  addressProofs,
  clientMetrics,
  passIndex,
  events,
  fields,
  segments,
  segmentLocks,
  tombstones,
  activityTallies,
  activityMarks,
  dailySignups,
  backfillParts,
  backfills,
  ...ofEveryService,
];

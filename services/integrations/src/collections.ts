import { ofEveryService } from '@laurel/backend';
import { type Declared, departures, locks } from '@laurel/mongo';
import { attempts } from './store/attempts';
import { backfills } from './store/backfills';
import { deliveries } from './store/deliveries';
import { events } from './store/events';
import { feedEntries } from './store/feed-entries';
import { feeds } from './store/feeds';
import { importJobs } from './store/import-jobs';
import { importRecords } from './store/import-records';
import { messages } from './store/inbox-messages';
import { inboxes } from './store/inboxes';
import { integrationLocks, integrations } from './store/integrations';
import { lanes } from './store/lanes';
import { outboundJobs } from './store/outbound-job-rows';
import { outboundRetries } from './store/outbound-retries';
import { replays } from './store/replays';
import { webhooks } from './store/webhooks';

/** Everything that this service keeps; what makes new rows goes first, so that nothing is made for a workspace meanwhile. */
export const collections: readonly Declared[] = [
  integrations,
  integrationLocks,
  inboxes,
  importJobs,
  importRecords,
  messages,
  outboundJobs,
  backfills,
  outboundRetries,
  webhooks,
  replays,
  deliveries,
  attempts,
  events,
  lanes,
  feeds,
  feedEntries,
  locks,
  departures,
  ...ofEveryService,
];

import type { CollectionIndexes } from '@laurel/mongo';
import { attemptIndexes } from './store/attempts';
import { backfillIndexes } from './store/backfills';
import { deliveryIndexes } from './store/deliveries';
import { erasureIndexes } from './store/erasures';
import { eventIndexes } from './store/events';
import { feedEntryIndexes } from './store/feed-entries';
import { feedIndexes } from './store/feeds';
import { importJobIndexes } from './store/import-jobs';
import { importRecordIndexes } from './store/import-records';
import { messageIndexes } from './store/inbox-messages';
import { inboxIndexes } from './store/inboxes';
import { integrationIndexes } from './store/integrations';
import { laneIndexes } from './store/lanes';
import { outboundJobIndexes } from './store/outbound-jobs';
import { replayIndexes } from './store/replays';
import { webhookIndexes } from './store/webhooks';

/** Every collection of this service. */
export const indexes: CollectionIndexes[] = [
  importJobIndexes,
  importRecordIndexes,
  inboxIndexes,
  ...integrationIndexes,
  messageIndexes,
  outboundJobIndexes,
  backfillIndexes,
  webhookIndexes,
  deliveryIndexes,
  attemptIndexes,
  eventIndexes,
  laneIndexes,
  replayIndexes,
  erasureIndexes,
  feedIndexes,
  feedEntryIndexes,
];

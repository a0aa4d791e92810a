import { inboxIndexes, outboxIndexes } from '@laurel/events';
import { type CollectionIndexes, operationIndexes } from '@laurel/mongo';

/** What a service declares and what every service has. */
export const everyIndex = (own: readonly CollectionIndexes[]): CollectionIndexes[] => [
  ...own,
  outboxIndexes,
  inboxIndexes,
  operationIndexes,
];

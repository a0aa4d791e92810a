import { inboxIndexes, outboxIndexes } from '@laurel/events';
import { type CollectionIndexes, operationIndexes } from '@laurel/mongo';
import { sandboxIndexes } from './clock/sandboxes';
import { tallyIndexes } from './clock/tally';
import { removedWorkspaces } from './removals';

/** What a service declares and what every service has. */
export const everyIndex = (own: readonly CollectionIndexes[]): CollectionIndexes[] => [
  ...own,
  outboxIndexes,
  inboxIndexes,
  operationIndexes,
  sandboxIndexes,
  tallyIndexes,
  removedWorkspaces,
];

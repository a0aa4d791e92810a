import { inboxIndexes, outboxRows } from '@laurel/events';
import { type CollectionIndexes, type Declared, operations } from '@laurel/mongo';
import { sandboxIndexes } from './clock/sandboxes';
import { tallyIndexes } from './clock/tally';
import { removedWorkspaces } from './removals';

/** What tells of clients in the database of every service; part of each one's own list, so that it departs with them. */
export const ofEveryService: readonly Declared[] = [operations, outboxRows];

/** What a service declares and what every service has. */
export const everyIndex = (own: readonly CollectionIndexes[]): CollectionIndexes[] => [
  ...new Set([
    ...own,
    ...ofEveryService,
    inboxIndexes,
    sandboxIndexes,
    tallyIndexes,
    removedWorkspaces,
  ]),
];

import type { CollectionIndexes } from '@laurel/mongo';
import { historyIndexes } from './store/history';
import { memberIndexes } from './store/members';
import { passIndexes } from './store/passes';
import { resyncJobIndexes } from './store/resync-jobs';
import { tierSetIndexes } from './store/tier-sets';
import { tierIndexes } from './store/tiers';
import { workspaceIndexes } from './store/workspaces';

/** Every index of this service's own collections. */
export const indexes: readonly CollectionIndexes[] = [
  historyIndexes,
  memberIndexes,
  passIndexes,
  resyncJobIndexes,
  tierSetIndexes,
  tierIndexes,
  workspaceIndexes,
];

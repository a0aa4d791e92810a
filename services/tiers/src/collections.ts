import { ofEveryService } from '@laurel/backend';
import type { Declared } from '@laurel/mongo';
import { history } from './store/history';
import { members } from './store/members';
import { passes } from './store/passes';
import { resyncJobs } from './store/resync-jobs';
import { tierSets } from './store/tier-sets';
import { tiers } from './store/tiers';
import { deletedWorkspaces } from './store/workspaces';

/** Everything that this service keeps; the rules and the work by them go first, so that no member is given a tier meanwhile. */
export const collections: readonly Declared[] = [
  tierSets,
  tiers,
  resyncJobs,
  members,
  history,
  passes,
  deletedWorkspaces,
  ...ofEveryService,
];

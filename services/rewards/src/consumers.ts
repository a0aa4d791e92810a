import { type ConsumerSpec, followErasures, followMerges, followWorkspaces } from '@laurel/backend';
import type { Deps } from './deps';

/** Queues that an earlier release had. */
export const retiredQueues = ['rewards.tiers'];

/** What becomes of what is kept here: the collections say it. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  followMerges('rewards.merges', deps, deps),
  followErasures('rewards.erasures', deps, deps),
  followWorkspaces('rewards.workspaces', deps),
];

import { type ConsumerSpec, followErasures, followMerges, followWorkspaces } from '@laurel/backend';
import type { Deps } from './deps';

/** What becomes of what is kept here: the collections say it. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  followMerges('rewards.merges', deps, deps.departures),
  followErasures('rewards.erasures', deps, deps.departures.noteErasure),
  followWorkspaces('rewards.workspaces', deps),
];

import type { ConsumerSpec } from '@laurel/backend';
import type { Deps } from './deps';
import { FOLLOWED_EVENTS, followMembers } from './use-cases/follow-members';
import { removeWorkspace } from './use-cases/remove-workspace';

const PREFETCH = 200;

/** What this service does when something happened elsewhere. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  {
    queue: 'tiers.members',
    bindings: [...FOLLOWED_EVENTS],
    prefetch: PREFETCH,
    handleBatch: (_events, once) => followMembers(deps, once),
  },
  {
    queue: 'tiers.workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: (event) => removeWorkspace(deps, event.workspaceid!),
  },
];

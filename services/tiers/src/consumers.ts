import type { ConsumerSpec } from '@laurel/backend';
import { batchOf } from '@laurel/events';
import type { Deps } from './deps';
import { FOLLOWED_EVENTS, followMembers } from './use-cases/follow-members';
import { removeWorkspace } from './use-cases/remove-workspace';

const PREFETCH = 200;

/** What this service does when something happened elsewhere. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  {
    queue: 'tiers.members',
    prefetch: PREFETCH,
    batch: batchOf(FOLLOWED_EVENTS, (_, once) => followMembers(deps, once)),
  },
  {
    queue: 'tiers.workspaces',
    handlers: {
      'identity.workspace_deleted': ({ workspaceid }) => removeWorkspace(deps, workspaceid),
    },
  },
];

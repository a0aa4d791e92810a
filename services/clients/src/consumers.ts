import type { ConsumerSpec } from '@laurel/backend';
import type { Deps } from './deps';
import { followPass } from './use-cases/follow-pass';
import {
  FOLLOWED_EVENTS,
  recordDomainEvents,
  STORIED_EVENTS,
} from './use-cases/record-domain-events';
import { removeWorkspace } from './use-cases/remove-workspace';

const TRAIL_PREFETCH = 200;

/** What this service learns from others. */
export function consumers(deps: Deps): ConsumerSpec[] {
  return [
    {
      queue: 'clients.trail',
      bindings: [...STORIED_EVENTS, ...FOLLOWED_EVENTS],
      prefetch: TRAIL_PREFETCH,
      handleBatch: (_, once) => once((session, fresh) => recordDomainEvents(deps, fresh, session)),
    },
    {
      queue: 'clients.passes',
      bindings: ['passes.pass_created', 'passes.pass_updated', 'passes.pass_deleted'],
      handle: (event, once) => once((session) => followPass(deps, event, session)),
    },
    {
      queue: 'clients.workspaces',
      bindings: ['identity.workspace_deleted'],
      handle: (event) => removeWorkspace(deps, event.workspaceid!),
    },
  ];
}

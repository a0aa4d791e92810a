import type { ConsumerSpec } from '@laurel/backend';
import { batchOf, each } from '@laurel/events';
import type { Deps } from './deps';
import { followPass } from './use-cases/follow-pass';
import { recordDomainEvents } from './use-cases/record-domain-events';
import { removeWorkspace } from './use-cases/remove-workspace';
import { FOLLOWED_EVENTS, STORIED_EVENTS } from './use-cases/trailed-events';

const TRAIL_PREFETCH = 200;

/** What this service learns from others. */
export function consumers(deps: Deps): ConsumerSpec[] {
  return [
    {
      queue: 'clients.trail',
      prefetch: TRAIL_PREFETCH,
      batch: batchOf([...STORIED_EVENTS, ...FOLLOWED_EVENTS], (_, once) =>
        once((session, fresh) => recordDomainEvents(deps, fresh, session)),
      ),
    },
    {
      queue: 'clients.passes',
      handlers: each(
        ['passes.pass_created', 'passes.pass_updated', 'passes.pass_deleted'],
        (event, once) => once((session) => followPass(deps, event, session)),
      ),
    },
    {
      queue: 'clients.workspaces',
      handlers: {
        'identity.workspace_deleted': ({ workspaceid }) => removeWorkspace(deps, workspaceid),
      },
    },
  ];
}

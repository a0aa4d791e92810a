import type { ConsumerSpec } from '@laurel/backend';
import type { CloudEvent, PassChanged } from '@laurel/events';
import type { Deps } from './deps';
import { recordDomainEvents, STORIED_EVENTS } from './use-cases/record-domain-events';
import { removeWorkspace } from './use-cases/remove-workspace';

const TRAIL_PREFETCH = 200;

/** What this service learns from others. */
export function consumers(deps: Deps): ConsumerSpec[] {
  return [
    {
      queue: 'clients.trail',
      bindings: [...STORIED_EVENTS],
      prefetch: TRAIL_PREFETCH,
      handleBatch: (_, once) => once((session, fresh) => recordDomainEvents(deps, fresh, session)),
    },
    {
      queue: 'clients.passes',
      bindings: ['passes.pass_created', 'passes.pass_updated', 'passes.pass_deleted'],
      handle: async (event, once) => {
        const pass = passOf(event);
        const asOf = new Date(event.time);
        await once((session) =>
          event.type === 'passes.pass_deleted'
            ? deps.passes.remove(pass, asOf, session)
            : deps.passes.put(pass, asOf, session),
        );
      },
    },
    {
      queue: 'clients.workspaces',
      bindings: ['identity.workspace_deleted'],
      handle: (event) => removeWorkspace(deps, event.workspaceid!),
    },
  ];
}

function passOf(event: CloudEvent) {
  const { pass_id, client_id, pass_template_id } = event.data as PassChanged;
  return {
    passId: pass_id,
    workspaceId: event.workspaceid!,
    clientId: client_id,
    templateId: pass_template_id,
  };
}

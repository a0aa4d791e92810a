import type { ConsumerSpec } from '@laurel/backend';
import type { CloudEvent, PassChanged } from '@laurel/events';
import type { Deps } from './deps';
import { recordDomainEvent, STORIED_EVENTS } from './use-cases/record-domain-event';
import { removeWorkspace } from './use-cases/remove-workspace';

/** What this service learns from others. */
export function consumers(deps: Deps): ConsumerSpec[] {
  return [
    {
      queue: 'clients.trail',
      bindings: [...STORIED_EVENTS],
      handle: async (event, once) => {
        await once((session) => recordDomainEvent(deps, event, session));
      },
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

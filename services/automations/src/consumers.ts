import type { ConsumerSpec } from '@laurel/backend';
import type { ClientsMerged } from '@laurel/events';
import type { Deps } from './deps';
import { forgetClient } from './use-cases/forget-client';
import { moveClient } from './use-cases/move-client';
import { replanSchedules } from './use-cases/plan-schedules';
import { removeWorkspace } from './use-cases/remove-workspace';
import type { Triggers } from './use-cases/take-triggers';
import { TRIGGERING_EVENTS } from './use-cases/triggers-of';

/** As many as are put aside in one write: what one workspace sends at once must not stand before what others send. */
const TRIGGERS_PREFETCH = 500;

/** event -> use case. */
export const consumers = (deps: Deps, triggers: Triggers): ConsumerSpec[] => [
  {
    queue: 'automations.triggers',
    bindings: [...TRIGGERING_EVENTS],
    prefetch: TRIGGERS_PREFETCH,
    // What has run is known by its execution, which is made from the event: no inbox is needed.
    handle: (event) => triggers.take(event),
  },
  {
    queue: 'automations.merges',
    bindings: ['clients.merged'],
    handle: async (event, once) => {
      const { source_client_id: source, target_client_id: target } = event.data as ClientsMerged;
      await once((session) => moveClient(deps, event.workspaceid!, { source, target }, session));
    },
  },
  {
    queue: 'automations.erasures',
    bindings: ['clients.anonymized', 'clients.deleted'],
    handle: (event) =>
      forgetClient(deps, event.workspaceid!, (event.data as { client_id: string }).client_id),
  },
  {
    // The zone is asked for, not taken from the event: in whatever order events come, the last word counts.
    queue: 'automations.zones',
    bindings: ['identity.workspace_updated'],
    handle: (event) => replanSchedules(deps, event.workspaceid!),
  },
  {
    queue: 'automations.workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: (event) => removeWorkspace(deps, event.workspaceid!),
  },
];

import { type ConsumerSpec, followMerges, followWorkspaces } from '@laurel/backend';
import { erasePerson } from '@laurel/mongo';
import type { Deps } from './deps';
import { replanSchedules } from './use-cases/plan-schedules';
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
  followMerges('automations.merges', deps, deps.departures.noteMerge),
  {
    queue: 'automations.erasures',
    bindings: ['clients.anonymized', 'clients.deleted'],
    // In no transaction: a client may have very many executions, and scrubbing them again changes nothing.
    handle: async ({ workspaceid, data }) => {
      const { client_id: clientId } = data as { client_id: string };
      const erasure = { workspaceId: workspaceid!, clientId, ending: 'anonymized' } as const;
      await deps.departures.noteErasure(erasure);
      await erasePerson(deps, erasure);
    },
  },
  {
    // The zone is asked for, not taken from the event: in whatever order events come, the last word counts.
    queue: 'automations.zones',
    bindings: ['identity.workspace_updated'],
    handle: (event) => replanSchedules(deps, event.workspaceid!),
  },
  followWorkspaces('automations.workspaces', deps),
];

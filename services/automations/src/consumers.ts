import { type ConsumerSpec, followErasures, followMerges, followWorkspaces } from '@laurel/backend';
import { each } from '@laurel/events';
import type { Deps } from './deps';
import { TRIGGERING_EVENTS } from './store/triggering-events';
import { planOpenedWorkspace, replanSchedules } from './use-cases/plan-schedules';
import type { Triggers } from './use-cases/take-triggers';

/** As many as are put aside in one write: what one workspace sends at once must not stand before what others send. */
const TRIGGERS_PREFETCH = 500;

/** event -> use case. */
export const consumers = (deps: Deps, triggers: Triggers): ConsumerSpec[] => [
  {
    queue: 'automations.triggers',
    // Rules read what the events before have changed.
    ordered: true,
    prefetch: TRIGGERS_PREFETCH,
    // What has run is known by its execution, which is made from the event: no inbox is needed.
    handlers: each(TRIGGERING_EVENTS, (event) => triggers.take(event)),
  },
  followMerges('automations.merges', deps, deps),
  // A client may have very many executions.
  followErasures('automations.erasures', deps, { ...deps, inParts: true }),
  {
    // The zone is asked for, not taken from the event: in whatever order events come, the last word counts.
    queue: 'automations.zones',
    handlers: {
      'identity.workspace_created': ({ workspaceid }) => planOpenedWorkspace(deps, workspaceid),
      'identity.workspace_updated': ({ workspaceid }) => replanSchedules(deps, workspaceid),
    },
  },
  followWorkspaces('automations.workspaces', deps),
];

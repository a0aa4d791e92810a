import type { ConsumerSpec } from '@laurel/backend';
import type { EventOf } from '@laurel/events';
import type { CoreDeps } from './deps';
import { removeClientPasses, scrubClientPasses } from './use-cases/forget-client';
import { moveClient } from './use-cases/move-client';
import { notifyClient } from './use-cases/notify-client';
import { recordTemplateChange } from './use-cases/record-template-change';
import {
  CLIENT_CHANGES,
  PROGRAMME_CHANGES,
  refreshClients,
  refreshWorkspace,
} from './use-cases/refresh-for';
import { removeWorkspace } from './use-cases/remove-workspace';
import { renewLinks } from './use-cases/renew-links';
import {
  automationPush,
  automationSwitch,
  rewardNotification,
  tierNotification,
} from './use-cases/requests';
import { switchClientTemplate } from './use-cases/switch-client-template';
import { syncTier } from './use-cases/sync-tier';
import { welcomePass } from './use-cases/welcome-pass';

const REFRESH_PREFETCH = 200;

/** Projects, templates and passes: event -> use case. */
export const coreConsumers = (deps: CoreDeps): ConsumerSpec[] => [
  ...requestConsumers(deps),
  ...clientConsumers(deps),
  ...refreshConsumers(deps),
  {
    queue: 'passes.template-changes',
    bindings: ['passes.pass_updated'],
    handle: (event) => recordTemplateChange(deps, event as EventOf<'passes.pass_updated'>),
  },
  {
    queue: 'passes.welcomes',
    bindings: ['passes.pass_created', 'passes.pass_updated'],
    handle: (event, once) => welcomePass(deps, event as EventOf<'passes.pass_created'>, once),
  },
  {
    queue: 'passes.workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: (event) => removeWorkspace(deps, event.workspaceid!),
  },
];

/** What other services ask of the passes of a client. */
const requestConsumers = (deps: CoreDeps): ConsumerSpec[] => [
  {
    queue: 'passes.notifications',
    bindings: [
      'automations.push_requested',
      'rewards.notification_requested',
      'tiers.notification_requested',
    ],
    handlers: {
      'automations.push_requested': (event, once) =>
        notifyClient(deps, automationPush(event), once),
      'rewards.notification_requested': (event, once) =>
        notifyClient(deps, rewardNotification(event), once),
      'tiers.notification_requested': (event, once) =>
        notifyClient(deps, tierNotification(event), once),
    },
  },
  {
    queue: 'passes.template-switches',
    bindings: ['automations.template_switch_requested'],
    handlers: {
      'automations.template_switch_requested': (event, once) =>
        once((session) => switchClientTemplate(deps, automationSwitch(event), session)),
    },
  },
  {
    queue: 'passes.tiers',
    bindings: ['tiers.tier_promoted', 'tiers.tier_demoted'],
    handle: (event, once) => syncTier(deps, clientOf(event), once),
  },
];

/** What becomes of the passes of a client. */
const clientConsumers = (deps: CoreDeps): ConsumerSpec[] => [
  {
    queue: 'passes.clients',
    bindings: ['clients.deleted', 'clients.anonymized', 'clients.merged', 'clients.address_proven'],
    handlers: {
      'clients.deleted': ({ workspaceid, data }, once) =>
        once((session) => removeClientPasses(deps, workspaceid!, data.client_id, session)),
      'clients.anonymized': ({ workspaceid, data }, once) =>
        once((session) => scrubClientPasses(deps, workspaceid!, data.client_id, session)),
      'clients.merged': ({ workspaceid, data }, once) => {
        const { source_client_id: source, target_client_id: target } = data;
        return once((session) => moveClient(deps, workspaceid!, { source, target }, session));
      },
      'clients.address_proven': ({ workspaceid, data }, once) => {
        const whose = {
          workspaceId: workspaceid!,
          clientId: data.client_id,
          cameByForm: data.came_by_form,
        };
        return once((session) => renewLinks(deps, whose, session));
      },
    },
  },
];

/** What makes passes show something else; asking twice asks once, so that no inbox is needed. */
const refreshConsumers = (deps: CoreDeps): ConsumerSpec[] => [
  {
    queue: 'passes.client-changes',
    bindings: [...CLIENT_CHANGES],
    prefetch: REFRESH_PREFETCH,
    handleBatch: (events) => refreshClients(deps, events),
  },
  {
    queue: 'passes.programme-changes',
    bindings: [...PROGRAMME_CHANGES],
    handle: async (event) => {
      await refreshWorkspace(deps, event.workspaceid!);
    },
  },
];

function clientOf(event: { workspaceid?: string; data: unknown }) {
  const { client_id: clientId } = event.data as { client_id: string };
  return { workspaceId: event.workspaceid!, clientId };
}

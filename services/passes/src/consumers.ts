import type { ConsumerSpec } from '@laurel/backend';
import type { ClientsMerged, EventOf } from '@laurel/events';
import type { Deps, EnrollmentDeps, MobileDeps, PassDeps, WalletDeps } from './deps';
import { forgetEnrollments, moveEnrollments } from './use-cases/enrollment/follow-clients';
import { removeEnrollments } from './use-cases/enrollment/remove-enrollments';
import { removeClientPasses, scrubClientPasses } from './use-cases/pass/forget-client';
import { moveClient } from './use-cases/pass/move-client';
import { notifyClient } from './use-cases/pass/notify-client';
import {
  CLIENT_CHANGES,
  PROGRAMME_CHANGES,
  refreshClients,
  refreshWorkspace,
} from './use-cases/pass/refresh-for';
import { removeWorkspace } from './use-cases/pass/remove-workspace';
import { renewLinks } from './use-cases/pass/renew-links';
import {
  automationPush,
  automationSwitch,
  rewardNotification,
  tierNotification,
} from './use-cases/pass/requests';
import { switchClientTemplate } from './use-cases/pass/switch-client-template';
import { syncTier } from './use-cases/pass/sync-tier';
import { welcomePass } from './use-cases/pass/welcome-pass';
import { recordTemplateChange } from './use-cases/template/record-template-change';
import { forgetPass, forgetWorkspace } from './use-cases/wallet/forget';
import { recordDevice } from './use-cases/wallet/record-device';

const REFRESH_PREFETCH = 200;

/** event -> use case. */
export const consumers = (deps: Deps): ConsumerSpec[] => [
  ...passConsumers(deps),
  ...walletConsumers(deps),
  ...enrollmentConsumers(deps),
  ...mobileConsumers(deps),
];

/** Projects, templates and passes. */
export const passConsumers = (deps: PassDeps): ConsumerSpec[] => [
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
const requestConsumers = (deps: PassDeps): ConsumerSpec[] => [
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
const clientConsumers = (deps: PassDeps): ConsumerSpec[] => [
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
const refreshConsumers = (deps: PassDeps): ConsumerSpec[] => [
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

/** What becomes of passes on phones. */
const walletConsumers = (deps: WalletDeps): ConsumerSpec[] => [
  {
    queue: 'passes.devices',
    bindings: ['passes.device_registered', 'passes.device_unregistered'],
    handle: (event) => recordDevice(deps, event as EventOf<'passes.device_registered'>),
  },
  {
    queue: 'passes.forgotten-wallets',
    bindings: ['passes.pass_deleted'],
    handle: (event) => forgetPass(deps, event as EventOf<'passes.pass_deleted'>),
  },
  {
    queue: 'passes.wallet-workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: (event) => forgetWorkspace(deps, event.workspaceid!),
  },
];

/** Distributions and enrollments of a client, a workspace. */
const enrollmentConsumers = (deps: EnrollmentDeps): ConsumerSpec[] => [
  {
    queue: 'passes.enrollment_workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: (event) => removeEnrollments(deps, event.workspaceid!),
  },
  {
    queue: 'passes.enrollment_clients',
    bindings: ['clients.deleted', 'clients.anonymized', 'clients.merged'],
    handlers: {
      'clients.deleted': ({ workspaceid, data }, once) =>
        once((session) => forgetEnrollments(deps, workspaceid!, data.client_id, session)),
      'clients.anonymized': ({ workspaceid, data }, once) =>
        once((session) => forgetEnrollments(deps, workspaceid!, data.client_id, session)),
      'clients.merged': ({ workspaceid, data }, once) => {
        const { source_client_id: source, target_client_id: target } = data;
        return once((session) => moveEnrollments(deps, workspaceid!, { source, target }, session));
      },
    },
  },
];

/** What staff did in the app. */
const mobileConsumers = (deps: MobileDeps): ConsumerSpec[] => [
  {
    queue: 'passes.mobile-clients',
    bindings: ['clients.merged'],
    handle: (event) => {
      const { source_client_id: source, target_client_id: target } = event.data as ClientsMerged;
      return deps.staffOperations.moveClient(event.workspaceid!, source, target);
    },
  },
  {
    queue: 'passes.mobile-workspaces',
    bindings: ['identity.workspace_deleted'],
    handle: async (event) => {
      await deps.staffOperations.removeWorkspace(event.workspaceid!);
      await deps.mobileApps.removeWorkspace(event.workspaceid!);
    },
  },
];

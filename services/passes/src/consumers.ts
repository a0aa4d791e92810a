import type { ConsumerSpec } from '@laurel/backend';
import { batchOf, each } from '@laurel/events';
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
    handlers: { 'passes.pass_updated': (event) => recordTemplateChange(deps, event) },
  },
  {
    queue: 'passes.welcomes',
    handlers: each(['passes.pass_created', 'passes.pass_updated'], (event, once) =>
      welcomePass(deps, event, once),
    ),
  },
  {
    queue: 'passes.workspaces',
    handlers: {
      'identity.workspace_deleted': ({ workspaceid }) => removeWorkspace(deps, workspaceid),
    },
  },
];

/** What other services ask of the passes of a client. */
const requestConsumers = (deps: PassDeps): ConsumerSpec[] => [
  {
    queue: 'passes.notifications',
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
    handlers: {
      'automations.template_switch_requested': (event, once) =>
        once((session) => switchClientTemplate(deps, automationSwitch(event), session)),
    },
  },
  {
    queue: 'passes.tiers',
    handlers: each(
      ['tiers.tier_promoted', 'tiers.tier_demoted'],
      ({ workspaceid: workspaceId, data }, once) =>
        syncTier(deps, { workspaceId, clientId: data.client_id }, once),
    ),
  },
];

/** What becomes of the passes of a client. */
const clientConsumers = (deps: PassDeps): ConsumerSpec[] => [
  {
    queue: 'passes.clients',
    handlers: {
      'clients.deleted': ({ workspaceid, data }, once) =>
        once((session) => removeClientPasses(deps, workspaceid, data.client_id, session)),
      'clients.anonymized': ({ workspaceid, data }, once) =>
        once((session) => scrubClientPasses(deps, workspaceid, data.client_id, session)),
      'clients.merged': ({ workspaceid, data }, once) => {
        const { source_client_id: source, target_client_id: target } = data;
        return once((session) => moveClient(deps, workspaceid, { source, target }, session));
      },
      'clients.address_proven': ({ workspaceid, data }, once) => {
        const whose = {
          workspaceId: workspaceid,
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
    prefetch: REFRESH_PREFETCH,
    batch: batchOf(CLIENT_CHANGES, (events) => refreshClients(deps, events)),
  },
  {
    queue: 'passes.programme-changes',
    handlers: each(PROGRAMME_CHANGES, async ({ workspaceid }) => {
      await refreshWorkspace(deps, workspaceid);
    }),
  },
];

/** What becomes of passes on phones. */
const walletConsumers = (deps: WalletDeps): ConsumerSpec[] => [
  {
    queue: 'passes.devices',
    handlers: each(['passes.device_registered', 'passes.device_unregistered'], (event) =>
      recordDevice(deps, event),
    ),
  },
  {
    queue: 'passes.forgotten-wallets',
    handlers: { 'passes.pass_deleted': (event) => forgetPass(deps, event) },
  },
  {
    queue: 'passes.wallet-workspaces',
    handlers: {
      'identity.workspace_deleted': ({ workspaceid }) => forgetWorkspace(deps, workspaceid),
    },
  },
];

/** Distributions and enrollments of a client, a workspace. */
const enrollmentConsumers = (deps: EnrollmentDeps): ConsumerSpec[] => [
  {
    queue: 'passes.enrollment_workspaces',
    handlers: {
      'identity.workspace_deleted': ({ workspaceid }) => removeEnrollments(deps, workspaceid),
    },
  },
  {
    queue: 'passes.enrollment_clients',
    handlers: {
      ...each(['clients.deleted', 'clients.anonymized'], ({ workspaceid, data }, once) =>
        once((session) => forgetEnrollments(deps, workspaceid, data.client_id, session)),
      ),
      'clients.merged': ({ workspaceid, data }, once) => {
        const { source_client_id: source, target_client_id: target } = data;
        return once((session) => moveEnrollments(deps, workspaceid, { source, target }, session));
      },
    },
  },
];

/** What staff did in the app. */
const mobileConsumers = (deps: MobileDeps): ConsumerSpec[] => [
  {
    queue: 'passes.mobile-clients',
    handlers: {
      'clients.merged': ({ workspaceid, data }) =>
        deps.staffOperations.moveClient(workspaceid, data.source_client_id, data.target_client_id),
    },
  },
  {
    queue: 'passes.mobile-workspaces',
    handlers: {
      'identity.workspace_deleted': async ({ workspaceid }) => {
        await deps.staffOperations.removeWorkspace(workspaceid);
        await deps.mobileApps.removeWorkspace(workspaceid);
      },
    },
  },
];

import {
  type ConsumerSpec,
  followMerges,
  followWorkspaces,
  ofEveryService,
  onErasures,
  onMerges,
} from '@laurel/backend';
import { batchOf, each } from '@laurel/events';
import { ofEnrollment, ofMobile, ofPasses, ofWallets } from './collections';
import type { Deps, PassDeps, WalletDeps } from './deps';
import { databaseOf } from './use-cases/catch-up';
import { notifyClient } from './use-cases/pass/notify-client';
import {
  CLIENT_CHANGES,
  PROGRAMME_CHANGES,
  refreshClients,
  refreshWorkspace,
} from './use-cases/pass/refresh-for';
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
import { forgetPass } from './use-cases/wallet/forget';
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
  followWorkspaces('passes.workspaces', { ...deps, collections: ofPasses }),
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
function clientConsumers(deps: PassDeps): ConsumerSpec[] {
  const database = { ...databaseOf(deps), collections: ofPasses };
  return [
    {
      queue: 'passes.clients',
      handlers: {
        ...onMerges(database, deps),
        ...onErasures(database, deps),
        'clients.address_proven': ({ workspaceid: workspaceId, data, time }, once) => {
          const { client_id: clientId, came_by_form: cameByForm } = data;
          const shownUntil = data.was_reached ? new Date(time) : undefined;
          const whose = { workspaceId, clientId, cameByForm, shownUntil };
          return once((session) => renewLinks(deps, whose, session));
        },
      },
    },
  ];
}

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
  followWorkspaces('passes.wallet-workspaces', { ...deps, collections: ofWallets }),
];

/** Distributions and enrollments of a client, a workspace. */
export function enrollmentConsumers({
  connection,
  departures,
}: Pick<PassDeps, 'connection' | 'departures'>): ConsumerSpec[] {
  const database = { connection, collections: [...ofEnrollment, ...ofEveryService] };
  return [
    followWorkspaces('passes.enrollment_workspaces', database),
    {
      queue: 'passes.enrollment_clients',
      handlers: { ...onMerges(database, { departures }), ...onErasures(database, { departures }) },
    },
  ];
}

/** What staff did in the app. */
export function mobileConsumers({
  connection,
  departures,
}: Pick<PassDeps, 'connection' | 'departures'>): ConsumerSpec[] {
  const database = { connection, collections: [...ofMobile, ...ofEveryService] };
  return [
    followMerges('passes.mobile-clients', database, { departures }),
    followWorkspaces('passes.mobile-workspaces', database),
  ];
}

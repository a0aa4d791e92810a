import { type Backend, startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { webhookNames } from '@laurel/events';
import { createAgent } from '@laurel/outbound';
import { type ReferenceDirectory, referenceDirectory } from '@laurel/rpc';
import { createVault } from '@laurel/vault';
import { settings } from './config';
import { consumers } from './consumers';
import { createBell } from './feeds/bell';
import { createIntegrations } from './integrations';
import { jobs } from './jobs';
import { rpcHandlers } from './rpc';
import { type Sender, startSender } from './sender/sender';
import { attemptIndexes, createAttemptStore } from './store/attempts';
import { backfillIndexes } from './store/backfills';
import { createDeliveryStore, deliveryIndexes } from './store/deliveries';
import { createErasureStore, erasureIndexes } from './store/erasures';
import { createEventStore, eventIndexes } from './store/events';
import { createFeedEntryStore, feedEntryIndexes } from './store/feed-entries';
import { createFeedStore, feedIndexes } from './store/feeds';
import { importJobIndexes } from './store/import-jobs';
import { importRecordIndexes } from './store/import-records';
import { messageIndexes } from './store/inbox-messages';
import { inboxIndexes } from './store/inboxes';
import { integrationIndexes } from './store/integrations';
import { createLaneStore, laneIndexes } from './store/lanes';
import { outboundJobIndexes } from './store/outbound-jobs';
import { createReplayStore, replayIndexes } from './store/replays';
import { createWebhookStore, webhookIndexes } from './store/webhooks';
import { applyConsequence } from './use-cases/apply-consequence';
import type { WebhookDeps } from './use-cases/deps';

const DAY_MS = 86_400_000;

export const indexes = [
  importJobIndexes,
  importRecordIndexes,
  inboxIndexes,
  ...integrationIndexes,
  messageIndexes,
  outboundJobIndexes,
  backfillIndexes,
  webhookIndexes,
  deliveryIndexes,
  attemptIndexes,
  eventIndexes,
  laneIndexes,
  replayIndexes,
  erasureIndexes,
  feedIndexes,
  feedEntryIndexes,
];

/** Integrations: webhooks to the outside, and what workspaces connect with. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'integrations',
    settings,
    environment,
    indexes,
    assemble: (backend) => {
      const { config, lifecycle, client } = backend;
      const automations = client('automations', config.automationsTarget);
      const deps = createWebhooks(backend, referenceDirectory({ automations }));
      const integrations = createIntegrations(backend, deps.vault);
      lifecycle.onStop('sender', () => deps.sender.stop());
      lifecycle.onStop('bell of feeds', () => deps.bell.stop());
      lifecycle.onStop('connections of integrations', () => integrations.stop());
      return {
        handlers: rpcHandlers(deps, integrations),
        consumers: consumers(deps, integrations),
        jobs: jobs(deps, integrations),
      };
    },
  });
}

/** Everything of webhooks, made once, and their sender running. */
export function createWebhooks(
  {
    config,
    connection,
    outbox,
    logger,
  }: Pick<Backend<typeof settings>, 'config' | 'connection' | 'outbox' | 'logger'>,
  references: ReferenceDirectory,
): WebhookDeps & { sender: Sender } {
  const allowInsecure = config.webhookAllowInsecure;
  const timeoutMs = config.webhookTimeoutSeconds * 1_000;
  const concurrency = config.webhookConcurrency;
  const stores = {
    webhooks: createWebhookStore(connection),
    deliveries: createDeliveryStore(connection),
    attempts: createAttemptStore(connection),
    events: createEventStore(connection),
    erasures: createErasureStore(connection),
    feeds: createFeedStore(connection),
    feedEntries: createFeedEntryStore(connection),
    lanes: createLaneStore(connection),
    replays: createReplayStore(connection),
  };
  const vault = createVault(config.secretsKey, config.secretsKeyPrevious);
  const agent = createAgent({ allowInsecure, timeoutMs, connections: concurrency });
  const sender = startSender(
    {
      ...stores,
      vault,
      agent,
      logger,
      applyConsequence: (webhook, consequence) =>
        applyConsequence({ connection, outbox, ...stores }, webhook, consequence),
    },
    {
      allowInsecure,
      timeoutMs,
      concurrency,
      inFlightMax: config.webhookInFlightMax,
      disableAfterMs: config.webhookDisableAfterDays * DAY_MS,
    },
  );
  return {
    ...stores,
    bell: createBell(stores.feeds, logger),
    connection,
    outbox,
    vault,
    agent,
    sender,
    references,
    settings: {
      allowInsecure,
      timeoutMs,
      retentionDays: config.retentionWebhookEventsDays,
      webhookNames,
    },
  };
}

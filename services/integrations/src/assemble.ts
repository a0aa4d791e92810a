import type { Backend } from '@laurel/backend';
import { webhookNames } from '@laurel/events';
import { createInTurn } from '@laurel/lifecycle';
import { createAgents } from '@laurel/outbound';
import { type ReferenceDirectory, referenceDirectory } from '@laurel/rpc';
import { createVault } from '@laurel/secrets';
import type { settings } from './config';
import { createIntegrationStores, createWebhookStores, type Deps, type WebhookDeps } from './deps';
import { createRest } from './outside/rest';
import { applyConsequence } from './use-cases/delivery/apply-consequence';
import { type Sender, startSender } from './use-cases/delivery/sender';
import { createBell } from './use-cases/feed/bell';

const DAY_MS = 86_400_000;
/** Connections of one integration at most: what it has in flight in this process, and some for who tries it meanwhile. */
const CONNECTIONS = 8;
/** Of so many integrations, and of so many webhooks, connections are kept. */
const KEPT = 1_000;

const clock = { now: () => new Date() };

type Around = Backend<typeof settings>;

/** Makes everything the use cases need, each part once; the sender of webhooks is running then. */
export function assemble(backend: Around): Deps {
  const { config, lifecycle, client } = backend;
  const references = referenceDirectory({
    automations: client('automations', config.automationsTarget),
  });
  const webhooks = createWebhooks(backend, references);
  lifecycle.onStop('sender', () => webhooks.sender.stop());
  lifecycle.onStop('bell of feeds', () => webhooks.bell.stop());
  return {
    ...webhooks,
    ...createIntegrations(backend),
    settings: {
      ...webhooks.settings,
      publicUrl: config.publicUrl,
      messageDays: config.retentionInboxMessagesDays,
    },
  };
}

/** Everything of webhooks, made once, and their sender running. */
export function createWebhooks(
  {
    config,
    connection,
    outbox,
    logger,
  }: Pick<Around, 'config' | 'connection' | 'outbox' | 'logger'>,
  references: ReferenceDirectory,
): WebhookDeps & { sender: Sender } {
  const { allowInsecure, timeoutMs } = outboundLimits(config);
  const concurrency = config.webhookConcurrency;
  const stores = createWebhookStores(connection);
  const vault = createVault(config.secretsKey, config.secretsKeyPrevious);
  const agents = createAgents({ allowInsecure, timeoutMs, connections: concurrency, kept: KEPT });
  const sender = startSender(
    {
      ...stores,
      vault,
      agents,
      logger,
      applyConsequence: (webhook, consequence) =>
        applyConsequence({ ...stores, outbox }, webhook, consequence),
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
    inFeed: createInTurn(),
    outbox,
    vault,
    agents,
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

function createIntegrations({ config, connection, logger, lifecycle, client }: Around) {
  const { allowInsecure, timeoutMs } = outboundLimits(config);
  const agents = createAgents({ allowInsecure, timeoutMs, connections: CONNECTIONS, kept: KEPT });
  lifecycle.onStop('connections of integrations', () => agents.close());
  const stores = createIntegrationStores(connection);
  return {
    ...stores,
    logger,
    restOf: createRest({ allowInsecure, timeoutMs, agents }),
    clock,
    clients: client('clients', config.clientsTarget),
    identity: client('identity', config.identityTarget),
    passes: client('passes', config.passesTarget),
    tiers: client('tiers', config.tiersTarget),
    soon: {
      inbox: () => stores.messages.due.wake(),
      outbound: () => {
        stores.backfills.due.wake();
        stores.outboundRetries.due.wake();
        stores.outboundJobs.due.wake();
      },
      imports: () => stores.importJobs.due.wake(),
    },
  };
}

function outboundLimits(config: Around['config']) {
  return {
    allowInsecure: config.webhookAllowInsecure,
    timeoutMs: config.webhookTimeoutSeconds * 1_000,
  };
}

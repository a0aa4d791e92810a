import type { Outbox } from '@laurel/events';
import type { InTurn, Logger } from '@laurel/lifecycle';
import { type Connection, createDepartures } from '@laurel/mongo';
import type { Agents } from '@laurel/outbound';
import type { ReferenceDirectory, RpcClient } from '@laurel/rpc';
import type { Vault } from '@laurel/secrets';
import { collections } from './collections';
import type { RestOf } from './outside/rest';
import { createAttemptStore } from './store/attempts';
import { createBackfillStore } from './store/backfills';
import { createDeliveryStore } from './store/deliveries';
import { createEventStore } from './store/events';
import { createFeedEntryStore } from './store/feed-entries';
import { createFeedStore } from './store/feeds';
import { createImportJobStore } from './store/import-jobs';
import { createImportRecordStore } from './store/import-records';
import { createInboxMessageStore } from './store/inbox-messages';
import { createInboxStore } from './store/inboxes';
import { createIntegrationStore } from './store/integrations';
import { createLaneStore } from './store/lanes';
import { createOutboundJobStore } from './store/outbound-jobs';
import { createOutboundRetryStore } from './store/outbound-retries';
import { createReplayStore } from './store/replays';
import { createWebhookStore } from './store/webhooks';
import type { Sender } from './use-cases/delivery/sender';
import type { Bell } from './use-cases/feed/bell';

/** What becomes of clients and workspaces is one for all that is kept. */
const departing = (connection: Connection) => ({
  connection,
  collections,
  departures: createDepartures(connection),
});

/** The stores of webhooks and feeds, made once over the service's own database. */
export function createWebhookStores(connection: Connection) {
  return {
    ...departing(connection),
    webhooks: createWebhookStore(connection),
    deliveries: createDeliveryStore(connection),
    attempts: createAttemptStore(connection),
    events: createEventStore(connection),
    feeds: createFeedStore(connection),
    feedEntries: createFeedEntryStore(connection),
    lanes: createLaneStore(connection),
    replays: createReplayStore(connection),
  };
}

/** The stores of integrations, made once over the service's own database. */
export function createIntegrationStores(connection: Connection) {
  return {
    ...departing(connection),
    integrations: createIntegrationStore(connection),
    inboxes: createInboxStore(connection),
    messages: createInboxMessageStore(connection),
    outboundJobs: createOutboundJobStore(connection),
    backfills: createBackfillStore(connection),
    outboundRetries: createOutboundRetryStore(connection),
    importJobs: createImportJobStore(connection),
    importRecords: createImportRecordStore(connection),
  };
}

/** What the use cases of webhooks and feeds work with. */
export type WebhookDeps = ReturnType<typeof createWebhookStores> & {
  outbox: Outbox;
  bell: Bell;
  /** Of batches that are written to one feed at once each but one would be written in vain. */
  inFeed: InTurn;
  vault: Vault;
  agents: Agents;
  sender: Pick<Sender, 'poke' | 'changed'>;
  references: ReferenceDirectory;
  settings: {
    allowInsecure: boolean;
    timeoutMs: number;
    /** How long events and deliveries are kept. */
    retentionDays: number;
    /** Names of the catalogue that a webhook may subscribe to. */
    webhookNames: readonly string[];
  };
};

/** What the use cases of integrations work with. */
export type IntegrationDeps = ReturnType<typeof createIntegrationStores> & {
  vault: Vault;
  restOf: RestOf;
  logger: Logger;
  clock: { now(): Date };
  clients: Pick<
    RpcClient<'clients'>,
    | 'FindClientBy'
    | 'GetClients'
    | 'ListClients'
    | 'ListExternalIdentities'
    | 'ListSuccessors'
    | 'PutExternalIdentity'
    | 'QuoteRefundLink'
    | 'RecordTrail'
  >;
  passes: Pick<RpcClient<'passes'>, 'FindPassByBarcode'>;
  tiers: Pick<RpcClient<'tiers'>, 'GetClientTiers'>;
  identity: Pick<RpcClient<'identity'>, 'GetSettings'>;
  /** Pokes to be given after a commit. */
  soon: { inbox(): void; outbound(): void; imports(): void };
  settings: {
    allowInsecure: boolean;
    publicUrl: string;
    messageDays: number;
  };
};

/** All that this service works with. */
export type Deps = WebhookDeps & IntegrationDeps;

import type { Backend } from '@laurel/backend';
import type { WorkerSpec } from '@laurel/lifecycle';
import { createAgent } from '@laurel/outbound';
import type { Vault } from '@laurel/vault';
import type { settings } from './config';
import { createRest } from './outbound/rest';
import { BACKFILL_LEASE_MS, backfillOutbound } from './use-cases/backfill-outbound';
import { createIntegrationStores, type IntegrationDeps } from './use-cases/integration-deps';
import { MESSAGE_LEASE_MS, processInboxMessage } from './use-cases/process-inbox-message';
import { OUTBOUND_LEASE_MS, tellCustomer } from './use-cases/tell-customer';
import { IMPORT_LEASE_MS, workImport } from './use-cases/work-import';

/** Connections to one outside system at most. */
const CONNECTIONS = 8;

type Parts = Pick<Backend<typeof settings>, 'config' | 'connection' | 'logger' | 'client'>;

/** Everything of integrations, made once. */
export function createIntegrations(
  { config, connection, logger, client }: Parts,
  vault: Vault,
): IntegrationDeps & { stop(): Promise<void> } {
  const allowInsecure = config.webhookAllowInsecure;
  const timeoutMs = config.webhookTimeoutSeconds * 1_000;
  const agent = createAgent({ allowInsecure, timeoutMs, connections: CONNECTIONS });
  const stores = createIntegrationStores(connection);
  const deps: IntegrationDeps = {
    ...stores,
    vault,
    logger,
    rest: createRest({ allowInsecure, timeoutMs, agent }),
    clock: { now: () => new Date() },
    clients: client('clients', config.clientsTarget),
    identity: client('identity', config.identityTarget),
    passes: client('passes', config.passesTarget),
    tiers: client('tiers', config.tiersTarget),
    soon: {
      inbox: () => stores.messages.due.wake(),
      outbound: () => {
        stores.backfills.due.wake();
        stores.outboundJobs.due.wake();
      },
      imports: () => stores.importJobs.due.wake(),
    },
    settings: {
      allowInsecure,
      publicUrl: config.publicUrl,
      messageDays: config.retentionInboxMessagesDays,
    },
  };
  return { ...deps, stop: () => agent.close() };
}

/** Each works off one kind of row; those who take turns never wait for one another's backlog (docs/adr/0012). */
export function workersOf(deps: IntegrationDeps) {
  const { messages, outboundJobs, backfills, importJobs, clock } = deps;
  return {
    inbox: specOf({
      name: 'integrations.inbox',
      concurrency: 16,
      share: 4,
      claim: (room) => messages.claim(room, { now: clock.now(), leaseMs: MESSAGE_LEASE_MS }),
      turnOf: ({ workspace_id }) => workspace_id,
      work: (message) => processInboxMessage(deps, message),
    }),
    outbound: specOf({
      name: 'integrations.outbound',
      concurrency: 64,
      share: 4,
      claim: (room) => outboundJobs.claim(room, { now: clock.now(), leaseMs: OUTBOUND_LEASE_MS }),
      turnOf: ({ integration }) => integration,
      work: (job) => tellCustomer(deps, job),
    }),
    imports: specOf({
      name: 'integrations.imports',
      concurrency: 4,
      share: 1,
      claim: (room) => importJobs.claim(room, { now: clock.now(), leaseMs: IMPORT_LEASE_MS }),
      turnOf: ({ workspace_id }) => workspace_id,
      work: (job) => workImport(deps, job),
    }),
    backfills: specOf({
      name: 'integrations.backfills',
      concurrency: 4,
      share: 1,
      claim: (room) => backfills.claim(room, { now: clock.now(), leaseMs: BACKFILL_LEASE_MS }),
      turnOf: ({ workspace_id }) => workspace_id,
      work: (row) => backfillOutbound(deps, row),
    }),
  };
}

const specOf = <Row>(spec: WorkerSpec<Row>): WorkerSpec<Row> => spec;

import type { Backend } from '@laurel/backend';
import { createAgent } from '@laurel/outbound';
import type { Vault } from '@laurel/vault';
import type { settings } from './config';
import { createRest } from './outbound/rest';
import { createIntegrationStores, type IntegrationDeps } from './use-cases/integration-deps';
import { MESSAGE_LEASE_MS, processInboxMessage } from './use-cases/process-inbox-message';
import { OUTBOUND_LEASE_MS, tellCustomer } from './use-cases/tell-customer';
import { IMPORT_LEASE_MS, workImport } from './use-cases/work-import';
import { startWorker, type Worker } from './work/worker';

/** Connections to one outside system at most. */
const CONNECTIONS = 8;
const POLL_MS = 1_000;

type Parts = Pick<Backend<typeof settings>, 'config' | 'connection' | 'logger' | 'client'>;

/** Everything of integrations, made once, and their workers running. */
export function createIntegrations(
  { config, connection, logger, client }: Parts,
  vault: Vault,
): IntegrationDeps & { stop(): Promise<void> } {
  const allowInsecure = config.webhookAllowInsecure;
  const timeoutMs = config.webhookTimeoutSeconds * 1_000;
  const agent = createAgent({ allowInsecure, timeoutMs, connections: CONNECTIONS });
  const workers: Partial<Record<keyof IntegrationDeps['soon'], Worker>> = {};
  const deps: IntegrationDeps = {
    ...createIntegrationStores(connection),
    vault,
    logger,
    rest: createRest({ allowInsecure, timeoutMs, agent }),
    clock: { now: () => new Date() },
    clients: client('clients', config.clientsTarget),
    identity: client('identity', config.identityTarget),
    passes: client('passes', config.passesTarget),
    tiers: client('tiers', config.tiersTarget),
    soon: {
      inbox: () => workers.inbox?.poke(),
      outbound: () => workers.outbound?.poke(),
      imports: () => workers.imports?.poke(),
    },
    settings: {
      allowInsecure,
      publicUrl: config.publicUrl,
      messageDays: config.retentionInboxMessagesDays,
    },
  };
  Object.assign(workers, startWorkers(deps));
  const stop = async (): Promise<void> => {
    await Promise.all(Object.values(workers).map((worker) => worker.stop()));
    await agent.close();
  };
  return { ...deps, stop };
}

function startWorkers(deps: IntegrationDeps): Record<keyof IntegrationDeps['soon'], Worker> {
  const { messages, outboundJobs, importJobs, clock, logger } = deps;
  const inbox = startWorker(
    {
      name: 'integrations.inbox',
      everyMs: POLL_MS,
      concurrency: 16,
      concurrencyPerLane: 16,
      claim: () => messages.claim(clock.now(), MESSAGE_LEASE_MS),
      laneOf: ({ inbox_id }) => inbox_id,
      work: (message) => processInboxMessage(deps, message),
    },
    logger,
  );
  const outbound = startWorker(
    {
      name: 'integrations.outbound',
      everyMs: POLL_MS,
      concurrency: 64,
      concurrencyPerLane: 4,
      claim: (busy) => outboundJobs.claim({ now: clock.now(), leaseMs: OUTBOUND_LEASE_MS, busy }),
      laneOf: ({ integration }) => integration,
      work: (job) => tellCustomer(deps, job),
    },
    logger,
  );
  const imports = startWorker(
    {
      name: 'integrations.imports',
      everyMs: POLL_MS,
      concurrency: 4,
      concurrencyPerLane: 4,
      claim: () => importJobs.claim(clock.now(), IMPORT_LEASE_MS),
      laneOf: ({ _id }) => _id,
      work: (job) => workImport(deps, job),
    },
    logger,
  );
  return { inbox, outbound, imports };
}

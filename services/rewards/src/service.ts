import { randomInt } from 'node:crypto';
import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { workspaceClock } from '@laurel/lifecycle';
import { referenceDirectory, segmentDirectory } from '@laurel/rpc';
import { collections } from './collections';
import { settings } from './config';
import { consumers, retiredQueues } from './consumers';
import { createStores, type Deps } from './deps';
import { jobs } from './jobs';
import { tierDirectory } from './outside/tier-directory';
import { rpcHandlers } from './rpc';

/** Starts the rewards service; resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'rewards',
    settings,
    environment,
    indexes: collections,
    retiredQueues,
    followsSandboxes: true,
    assemble: ({ config, connection, outbox, logger, client }) => {
      const clients = client('clients', config.clientsTarget);
      const deps: Deps = {
        ...createStores(connection),
        outbox,
        logger,
        ledger: client('ledger', config.ledgerTarget),
        clients,
        tiers: tierDirectory(client('tiers', config.tiersTarget)),
        segments: segmentDirectory(clients),
        references: referenceDirectory({
          automations: client('automations', config.automationsTarget),
          campaigns: client('campaigns', config.campaignsTarget),
        }),
        clock: workspaceClock,
        pickNumber: (bound) => randomInt(bound),
        abandonedMs: config.abandonedSeconds * 1_000,
        rememberedMs: config.rememberedSeconds * 1_000,
      };
      return { handlers: rpcHandlers(deps), consumers: consumers(deps), jobs: jobs(deps) };
    },
  });
}

import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { workspaceClock } from '@laurel/lifecycle';
import { referenceDirectory } from '@laurel/rpc';
import { collections } from './collections';
import { settings } from './config';
import { consumers } from './consumers';
import { createStores, type Deps } from './deps';
import { jobs } from './jobs';
import { rpcHandlers } from './rpc';

const MINUTE_MS = 60_000;

/** Starts the tiers service; resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'tiers',
    settings,
    environment,
    indexes: collections,
    followsSandboxes: true,
    assemble: ({ config, connection, outbox, logger, client }) => {
      const clients = client('clients', config.clientsTarget);
      const deps: Deps = {
        ...createStores(connection),
        outbox,
        logger,
        clients,
        ledger: client('ledger', config.ledgerTarget),
        passTemplates: client('passes', config.passesTarget),
        references: referenceDirectory({
          automations: client('automations', config.automationsTarget),
          campaigns: client('campaigns', config.campaignsTarget),
          clients,
        }),
        clock: workspaceClock,
      };
      const { resyncPerSecond } = config;
      const reviewEveryMs = config.reviewMinutes * MINUTE_MS;
      return {
        handlers: rpcHandlers(deps),
        consumers: consumers(deps),
        jobs: jobs(deps, { resyncPerSecond, reviewEveryMs }),
      };
    },
  });
}

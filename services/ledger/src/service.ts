import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { referenceDirectory } from '@laurel/rpc';
import { assemble } from './assemble';
import { collections } from './collections';
import { settings } from './config';
import { consumers } from './consumers';
import { jobs } from './jobs';
import { rpcHandlers } from './rpc';
import { createRelaySource } from './store/relay-source';
import { createStandings } from './store/standings';

/** Starts the ledger; resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'ledger',
    settings,
    environment,
    indexes: collections,
    followsSandboxes: true,
    assemble: async ({ config, connection, outbox, slots, logger, lifecycle, client }) => {
      const clients = client('clients', config.clientsTarget);
      const deps = await assemble({
        connection,
        outbox,
        logger,
        standings: createStandings(clients),
        references: referenceDirectory({
          automations: client('automations', config.automationsTarget),
          clients,
        }),
        signingKey: config.checkpointSigningKey,
        checkpointIntervalMs: config.checkpointIntervalSeconds * 1_000,
        checkpointMarginMs: config.checkpointMarginSeconds * 1_000,
        hourlyCheckpointsMs: config.hourlyCheckpointsDays * 86_400_000,
      });
      lifecycle.onStop('log', () => deps.log.drained());
      return {
        handlers: rpcHandlers(deps),
        consumers: consumers(deps),
        jobs: jobs(deps),
        outboxSources: [createRelaySource({ ...deps, slots })],
      };
    },
  });
}

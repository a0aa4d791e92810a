import { setTimeout as pause } from 'node:timers/promises';
import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { workspaceClock } from '@laurel/lifecycle';
import { collections } from './collections';
import { settings } from './config';
import { consumers } from './consumers';
import { createStores, type Deps } from './deps';
import { jobs } from './jobs';
import { createKeptResponses } from './outside/kept-responses';
import { rpcHandlers } from './rpc';

/** Enough that what a part costs is nothing beside serving it, and few enough that replicas finish together. */
const MEMBERS_PER_PART = 500;

/** Starts the campaigns service; resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'campaigns',
    settings,
    environment,
    indexes: collections,
    followsSandboxes: true,
    assemble: ({ config, connection, outbox, logger, client }) => {
      const deps: Deps = {
        ...createStores(connection),
        outbox,
        logger,
        clock: workspaceClock,
        pause,
        responses: createKeptResponses(),
        membersPerSecond: config.membersPerSecond,
        membersPerPart: MEMBERS_PER_PART,
        clients: client('clients', config.clientsTarget),
        rewards: client('rewards', config.rewardsTarget),
        tiers: client('tiers', config.tiersTarget),
        passes: client('passes', config.passesTarget),
      };
      return { handlers: rpcHandlers(deps), consumers: consumers(deps), jobs: jobs(deps) };
    },
  });
}

import { randomInt } from 'node:crypto';
import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { createInTurn, workspaceClock } from '@laurel/lifecycle';
import { collections } from './collections';
import { settings } from './config';
import { consumers } from './consumers';
import { createStores, type Deps } from './deps';
import { jobs } from './jobs';
import { rpcHandlers } from './rpc';

/** Starts the referrals service; resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'referrals',
    settings,
    environment,
    indexes: collections,
    followsSandboxes: true,
    assemble: ({ config, connection, outbox, client }) => {
      const deps: Deps = {
        ...createStores(connection),
        outbox,
        clients: client('clients', config.clientsTarget),
        clock: workspaceClock,
        pickNumber: randomInt,
        inTurn: createInTurn(),
      };
      return { handlers: rpcHandlers(deps), consumers: consumers(deps), jobs: jobs(deps) };
    },
  });
}

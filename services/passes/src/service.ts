import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { assemble } from './assemble';
import { collections } from './collections';
import { settings } from './config';
import { consumers } from './consumers';

import { jobs } from './jobs';
import { rpcHandlers } from './rpc';

/** Starts the passes service; resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'passes',
    settings,
    environment,
    indexes: collections,
    assemble: async (backend) => {
      const deps = await assemble(backend);
      return { handlers: rpcHandlers(deps), consumers: consumers(deps), jobs: jobs(deps) };
    },
  });
}

import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { assemble } from './assemble';
import { collections } from './collections';
import { settings } from './config';
import { consumers } from './consumers';
import { jobs } from './jobs';
import { rpcHandlers } from './rpc';

/** Starts integrations: webhooks to the outside, and what workspaces connect with. Resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'integrations',
    settings,
    environment,
    indexes: collections,
    assemble: (backend) => {
      const deps = assemble(backend);
      return { handlers: rpcHandlers(deps), consumers: consumers(deps), jobs: jobs(deps) };
    },
  });
}

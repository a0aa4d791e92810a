import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { assemble } from './assemble';
import { settings } from './config';
import { consumers } from './consumers';
import { indexes } from './indexes';
import { jobs } from './jobs';
import { rpcHandlers } from './rpc';

/** Starts integrations: webhooks to the outside, and what workspaces connect with. Resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'integrations',
    settings,
    environment,
    indexes,
    assemble: (backend) => {
      const deps = assemble(backend);
      return { handlers: rpcHandlers(deps), consumers: consumers(deps), jobs: jobs(deps) };
    },
  });
}

import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { settings } from './config';
import { consumers } from './consumers';
import { createCoreDeps, openSealing } from './core/deps';
import { renewLinks } from './core/use-cases/renew-links';
import type { Deps } from './deps';
import { createEnrollmentDeps, enrollmentBelongings } from './enrollment/part';
import { indexes } from './indexes';
import { jobs } from './jobs';
import { createMobileDeps } from './mobile/part';
import { rpcHandlers } from './rpc';
import { createWalletDeps } from './wallet/part';

/** Starts the passes service; resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'passes',
    settings,
    environment,
    indexes,
    assemble: async (backend) => {
      const { connection } = backend;
      const sealing = await openSealing(connection, backend.config);
      const enrollment = createEnrollmentDeps(connection, backend);
      const core = createCoreDeps(connection, backend, sealing);
      const deps: Deps = {
        ...core,
        renewLinks: (whose, session) => renewLinks(core, whose, session),
        belongings: [enrollmentBelongings({ ...enrollment, outbox: backend.outbox })],
        ...createWalletDeps(connection, backend, sealing),
        ...enrollment,
        ...createMobileDeps(connection, backend),
      };
      return { handlers: rpcHandlers(deps), consumers: consumers(deps), jobs: jobs(deps) };
    },
  });
}

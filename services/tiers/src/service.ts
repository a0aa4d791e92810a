import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { newId, runInBackground } from '@laurel/lifecycle';
import { referenceDirectory } from '@laurel/rpc';
import { settings } from './config';
import { consumers } from './consumers';
import { createStores, type Deps } from './deps';
import { indexes } from './indexes';
import { jobs } from './jobs';
import { rpcHandlers } from './rpc';
import { type Pace, runResync } from './use-cases/run-resync';

const MINUTE_MS = 60_000;

/** Starts the tiers service; resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'tiers',
    settings,
    environment,
    indexes,
    assemble: ({ config, connection, outbox, logger, lifecycle, client }) => {
      let stopping = false;
      const pace: Pace = { perSecond: config.resyncPerSecond, isStopping: () => stopping };
      const clients = client('clients', config.clientsTarget);
      const soon = createPoke(() => runResync(deps, pace));
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
        clock: { now: () => new Date() },
        resyncSoon: () =>
          soon.poke((error) => logger.warn({ err: error }, 'a resync will be tried again')),
      };
      lifecycle.onStop('resync', () => {
        stopping = true;
        return soon.idle();
      });
      const reviewEveryMs = config.reviewMinutes * MINUTE_MS;
      return {
        handlers: rpcHandlers(deps),
        consumers: consumers(deps),
        jobs: jobs(deps, { holder: newId(), reviewEveryMs }),
      };
    },
  });
}

/** Runs work soon after it is asked for, once at a time. */
function createPoke(work: () => Promise<{ more: boolean }>) {
  let running: Promise<void> | null = null;
  const drain = async (): Promise<void> => {
    while ((await work()).more);
  };
  return {
    poke(onFault: (error: unknown) => void): void {
      running ??= runInBackground('tiers.resync', drain)
        .catch(onFault)
        .finally(() => {
          running = null;
        });
    },
    idle: async (): Promise<void> => {
      await running;
    },
  };
}

import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { workspaceClock } from '@laurel/lifecycle';
import { segmentDirectory } from '@laurel/rpc';
import { collections } from './collections';
import { settings } from './config';
import { consumers } from './consumers';
import { createStores, type Deps } from './deps';
import { Formulas } from './domain/formula/formulas';
import { jobs } from './jobs';
import { sharingQuestions } from './outside/shared-questions';
import { templateDirectory } from './outside/template-directory';
import { rpcHandlers } from './rpc';
import { createTriggers } from './use-cases/take-triggers';

/** Starts the automations service; resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'automations',
    settings,
    environment,
    indexes: collections,
    followsSandboxes: true,
    assemble: ({ config, connection, outbox, slots, logger, client }) => {
      const clients = client('clients', config.clientsTarget);
      const passes = client('passes', config.passesTarget);
      const deps: Deps = {
        ...createStores(connection),
        outbox,
        logger,
        clock: workspaceClock,
        formulas: new Formulas(),
        ...sharingQuestions({
          clients,
          identity: client('identity', config.identityTarget),
          referrals: client('referrals', config.referralsTarget),
          tiers: client('tiers', config.tiersTarget),
        }),
        integrations: client('integrations', config.integrationsTarget),
        ledger: client('ledger', config.ledgerTarget),
        passes,
        rewards: client('rewards', config.rewardsTarget),
        segments: segmentDirectory(clients),
        templates: templateDirectory(passes),
      };
      const triggers = createTriggers(deps, () => deps.triggerBacklog.due.wake(), slots);
      return {
        handlers: rpcHandlers(deps),
        consumers: consumers(deps, triggers),
        jobs: jobs(deps, triggers, config.executionsDays),
      };
    },
  });
}

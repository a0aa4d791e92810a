import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { segmentDirectory } from '@laurel/rpc';
import { settings } from './config';
import { consumers } from './consumers';
import { createStores, type Deps } from './deps';
import { templateDirectory } from './directories';
import { Formulas } from './formula/formulas';
import { indexes } from './indexes';
import { jobs } from './jobs';
import { rpcHandlers } from './rpc';

/** Starts the automations service; resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'automations',
    settings,
    environment,
    indexes,
    assemble: ({ config, connection, outbox, logger, client }) => {
      const clients = client('clients', config.clientsTarget);
      const deps: Deps = {
        ...createStores(connection),
        outbox,
        logger,
        clock: { now: () => new Date() },
        formulas: new Formulas(),
        clients,
        integrations: client('integrations', config.integrationsTarget),
        ledger: client('ledger', config.ledgerTarget),
        referrals: client('referrals', config.referralsTarget),
        rewards: client('rewards', config.rewardsTarget),
        tiers: client('tiers', config.tiersTarget),
        segments: segmentDirectory(clients),
        templates: templateDirectory(client('passes', config.passesTarget)),
      };
      return { handlers: rpcHandlers(deps), consumers: consumers(deps), jobs: jobs(deps) };
    },
  });
}

import { startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { workspaceClock } from '@laurel/lifecycle';
import { type RpcClient, referenceDirectory } from '@laurel/rpc';
import { collections } from './collections';
import { settings } from './config';
import { consumers } from './consumers';
import { createStores, type Deps, type PersonHolder } from './deps';
import { jobs } from './jobs';
import { rpcHandlers } from './rpc';

/** What a service holds of a person that may be more than one message is. */
const inPieces = (
  holder: Pick<RpcClient<'ledger'>, 'StreamClientExport' | 'ExportClient'>,
): PersonHolder => ({
  StreamClientExport: (request, begin) => holder.StreamClientExport(request, begin),
  inOneMessage: (request) => holder.ExportClient(request),
});

/** Starts the clients service; resolves once it answers. */
export function start(environment?: Environment) {
  return startBackend({
    name: 'clients',
    settings,
    environment,
    indexes: collections,
    followsSandboxes: true,
    assemble: ({ config, connection, outbox, logger, client }) => {
      const ledger = client('ledger', config.ledgerTarget);
      const passes = client('passes', config.passesTarget);
      const tiers = client('tiers', config.tiersTarget);
      const automations = client('automations', config.automationsTarget);
      const campaigns = client('campaigns', config.campaignsTarget);
      const deps: Deps = {
        ...createStores(connection),
        outbox,
        logger,
        ledger,
        tiers,
        templates: passes,
        passKeeper: passes,
        references: referenceDirectory({ automations, campaigns }),
        holders: {
          automations: inPieces(automations),
          campaigns,
          integrations: client('integrations', config.integrationsTarget),
          ledger: inPieces(ledger),
          passes,
          tiers,
          rewards: client('rewards', config.rewardsTarget),
          referrals: client('referrals', config.referralsTarget),
        },
        clock: workspaceClock,
      };
      return {
        handlers: rpcHandlers(deps),
        consumers: consumers(deps),
        jobs: jobs(deps, config),
      };
    },
  });
}

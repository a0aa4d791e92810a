import { createAuthCache, createPortalLinks, createTokens } from '@laurel/auth-cache';
import { type RunningBackend, startBackend } from '@laurel/backend';
import type { Environment } from '@laurel/config';
import { Orphans } from '@laurel/events';
import { createMessageQueue, createTransports } from '@laurel/mail';
import { collections } from './collections';
import { type IdentityConfig, settings } from './config';
import { consumers } from './consumers';
import { createStores, type Deps } from './deps';
import { jobs } from './jobs';
import { createClockPeers } from './outside/clock-peers';
import { createClonePeers } from './outside/clone-peers';
import { createFailureLimit } from './outside/failure-limit';
import { createLoginFailures } from './outside/login-failures';
import { createPasswords } from './outside/passwords';
import { createSignOnProvider } from './outside/sign-on-provider';
import { rpcHandlers } from './rpc';
import { bootstrapAdmin } from './use-cases/bootstrap-admin';

export function start(environment?: Environment): Promise<RunningBackend> {
  return startBackend({
    name: 'identity',
    settings,
    environment,
    indexes: collections,
    assemble: async ({ config, connection, broker, outbox, redis, logger, lifecycle, client }) => {
      const transports = createTransports(config, logger);
      lifecycle.onStop('mail', () => transports.close());
      const targets = targetsOf(config);
      const deps: Deps = {
        config,
        logger,
        clock: { now: () => new Date() },
        outbox,
        ...createStores(connection, config.jwtSecret),
        cache: createAuthCache(redis),
        tokens: createTokens(config.jwtSecret, config.jwtSecretPrevious),
        portalLinks: createPortalLinks(config.jwtSecret, config.jwtSecretPrevious),
        clients: client('clients', config.clientsTarget),
        ledger: client('ledger', config.ledgerTarget),
        clockPeers: createClockPeers(
          targets.map(([service, target]) => ({ service, client: client('clock', target) })),
        ),
        clonePeers: createClonePeers(
          targets.map(([service, target]) => ({ service, client: client('clone', target) })),
        ),
        passwords: await createPasswords(config.passwordHashConcurrency),
        orphans: new Orphans({ broker, url: config.rabbitmqUrl }),
        messages: createMessageQueue(connection, transports.deliver, logger),
        loginFailures: createLoginFailures(redis, 'login', {
          perPair: config.loginFailuresPerMinute,
          perAccount: config.loginFailuresPerAccount,
          perAddress: config.loginFailuresPerAddress,
        }),
        pairFailures: createFailureLimit(redis, 'pair', config.pairFailuresPerMinute),
        google: createSignOnProvider({
          clientId: config.googleClientId,
          jwksUrl: config.googleJwksUrl,
          issuer: config.googleIssuer,
        }),
      };
      await bootstrapAdmin(deps);
      return { handlers: rpcHandlers(deps), consumers: consumers(deps), jobs: jobs(deps) };
    },
  });
}

/** Every service behind the gateway, and where it is. */
const targetsOf = (config: IdentityConfig): [service: string, target: string][] =>
  Object.entries({
    automations: config.automationsTarget,
    campaigns: config.campaignsTarget,
    clients: config.clientsTarget,
    identity: config.identityTarget,
    integrations: config.integrationsTarget,
    ledger: config.ledgerTarget,
    passes: config.passesTarget,
    referrals: config.referralsTarget,
    rewards: config.rewardsTarget,
    tiers: config.tiersTarget,
  });

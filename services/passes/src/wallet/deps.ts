import { createPortalLinks } from '@laurel/auth-cache';
import type { Backend } from '@laurel/backend';
import type { Connection } from '@laurel/mongo';
import { createVault } from '@laurel/vault';
import type { settings } from '../config';
import type { CoreDeps } from '../core/deps';
import { createPassTokens } from './apple/token';
import { createCredentials } from './credentials/credentials';
import type { FactSources } from './facts';
import { createGoogleApi } from './google/api';
import { createContentStore } from './store/contents';
import { createCredentialsStore } from './store/credentials';
import { createInstallStore } from './store/installs';
import { createRegistrationStore } from './store/registrations';

export type WalletDeps = ReturnType<typeof createWalletDeps>;
/** What use cases of wallets are given. */
export type WalletsDeps = CoreDeps & WalletDeps;

export function createWalletStores(connection: Connection) {
  return {
    contents: createContentStore(connection),
    installs: createInstallStore(connection),
    registrations: createRegistrationStore(connection),
  };
}

export function createWalletDeps(
  connection: Connection,
  { config, client, logger }: Backend<typeof settings>,
) {
  const publicUrl = config.publicUrl.replace(/\/+$/, '');
  const vault = createVault(config.secretsKey, config.secretsKeyPrevious);
  const credentialsStore = createCredentialsStore(connection, vault);
  const clock = { now: () => new Date() };
  const facts: FactSources = {
    clients: client('clients', config.clientsTarget),
    identity: client('identity', config.identityTarget),
    ledger: client('ledger', config.ledgerTarget),
    referrals: client('referrals', config.referralsTarget),
    rewards: client('rewards', config.rewardsTarget),
    tiers: client('tiers', config.tiersTarget),
    portalLinks: createPortalLinks(config.jwtSecret),
    publicUrl,
  };
  return {
    ...createWalletStores(connection),
    credentialsStore,
    credentials: createCredentials({ store: credentialsStore, settings: config, clock }),
    passTokens: createPassTokens(config.passLinkSecret ?? config.secretsKey),
    googleApi: createGoogleApi({
      baseUrl: config.googleWalletUrl,
      tokenUrl: config.googleTokenUrl,
      logger,
    }),
    googleSaveUrl: config.googleSaveUrl,
    facts,
    publicUrl,
  };
}

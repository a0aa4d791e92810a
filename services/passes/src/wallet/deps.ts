import type { Backend } from '@laurel/backend';
import type { Connection } from '@laurel/mongo';
import { createVault } from '@laurel/vault';
import type { settings } from '../config';
import type { CoreDeps } from '../core/deps';
import { createApplePush } from './apple/push';
import { createPassTokens } from './apple/token';
import { createCredentials } from './credentials/credentials';
import { createGoogleApi } from './google/api';
import { createGoogleCallbacks } from './google/callback';
import { createContentStore } from './store/contents';
import { createCredentialsStore } from './store/credentials';
import { createGoogleObjectStore } from './store/google-objects';
import { createInstallStore } from './store/installs';
import { createRegistrationStore } from './store/registrations';

export type WalletDeps = ReturnType<typeof createWalletDeps>;
/** What use cases of wallets are given. */
export type WalletsDeps = CoreDeps & WalletDeps;

export function createWalletStores(connection: Connection) {
  return {
    contents: createContentStore(connection),
    googleObjects: createGoogleObjectStore(connection),
    installs: createInstallStore(connection),
    registrations: createRegistrationStore(connection),
  };
}

export function createWalletDeps(
  connection: Connection,
  { config, lifecycle }: Backend<typeof settings>,
) {
  const vault = createVault(config.secretsKey, config.secretsKeyPrevious);
  const credentialsStore = createCredentialsStore(connection, vault);
  const clock = { now: () => new Date() };
  const applePush = createApplePush({ baseUrl: config.appleApnsUrl, ca: config.appleApnsCa });
  lifecycle.onStop('apple push', () => applePush.close());
  return {
    ...createWalletStores(connection),
    applePush,
    googleCallbacks: createGoogleCallbacks({ keysUrl: config.googleCallbackKeysUrl }),
    credentialsStore,
    credentials: createCredentials({ store: credentialsStore, settings: config, clock }),
    passTokens: createPassTokens(config.passLinkSecret ?? config.secretsKey),
    googleApi: createGoogleApi({
      baseUrl: config.googleWalletUrl,
      tokenUrl: config.googleTokenUrl,
    }),
    googleSaveUrl: config.googleSaveUrl,
  };
}

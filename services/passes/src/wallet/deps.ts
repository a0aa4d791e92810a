import type { Backend } from '@laurel/backend';
import type { Connection } from '@laurel/mongo';
import type { settings } from '../config';
import type { CoreDeps, Sealing } from '../core/deps';
import { createApplePush } from './apple/push';
import { createPassTokens } from './apple/token';
import { createCircuits } from './circuits';
import { createCredentials } from './credentials/credentials';
import { createGoogleApi } from './google/api';
import { createGoogleCallbacks } from './google/callback';
import { offeredWallets } from './offered';
import { createContentStore } from './store/contents';
import { createCredentialsStore } from './store/credentials';
import { createGoogleCallbackStore } from './store/google-callbacks';
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
    heededCallbacks: createGoogleCallbackStore(connection),
    installs: createInstallStore(connection),
    registrations: createRegistrationStore(connection),
  };
}

export function createWalletDeps(
  connection: Connection,
  { config, lifecycle }: Backend<typeof settings>,
  { vault, keys, linkKeys }: Sealing,
) {
  const credentialsStore = createCredentialsStore(connection, vault);
  const clock = { now: () => new Date() };
  const credentials = createCredentials({ store: credentialsStore, settings: config, clock });
  const applePush = createApplePush({ baseUrl: config.appleApnsUrl, ca: config.appleApnsCa });
  lifecycle.onStop('apple push', () => applePush.close());
  return {
    ...createWalletStores(connection),
    vault,
    linkKeys,
    applePush,
    circuits: createCircuits(clock),
    googleCallbacks: createGoogleCallbacks({ keysUrl: config.googleCallbackKeysUrl }),
    credentialsStore,
    credentials,
    walletsOffered: async (workspaceId: string) =>
      offeredWallets(await credentials.status(workspaceId), config.publicUrl),
    passTokens: createPassTokens(keys.tokens),
    googleApi: createGoogleApi({
      baseUrl: config.googleWalletUrl,
      tokenUrl: config.googleTokenUrl,
    }),
    googleSaveUrl: config.googleSaveUrl,
  };
}

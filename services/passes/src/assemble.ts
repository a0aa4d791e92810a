import { createPortalLinks, createTokens } from '@laurel/auth-cache';
import type { Backend } from '@laurel/backend';
import { newId } from '@laurel/lifecycle';
import { createMessageQueue, createTransports } from '@laurel/mail';
import type { Connection } from '@laurel/mongo';
import { createAgent } from '@laurel/outbound';
import { referenceDirectory } from '@laurel/rpc';
import { createVault, type Vault } from '@laurel/secrets';
import { LRUCache } from 'lru-cache';
import type { settings } from './config';
import { createStores, type Deps, type PassDeps } from './deps';
import { createPassLinks } from './domain/pass/links';
import { createApplePush } from './outside/apple/push';
import { createPassTokens } from './outside/apple/token';
import { createCircuits } from './outside/circuits';
import { offeredWallets } from './outside/credentials/offered';
import { createGoogleApi } from './outside/google/api';
import { createGoogleCallbacks } from './outside/google/callback';
import { createDrawing } from './outside/images/drawing';
import { FETCH_MS_MAX } from './outside/images/fetch-image';
import type { ResizedImage } from './outside/images/resize-image';
import { createReceiptReader, type ReceiptReader } from './outside/receipts/receipt-reader';
import { createCredentialsStore } from './store/credentials';
import { createFileStore } from './store/files';
import { createLinkKeyStore, type LinkKeyStore, type LinkKeys } from './store/link-keys';
import { createPassStore } from './store/passes';
import { distributionBelongings } from './use-cases/distribution/belongings';
import { createImages } from './use-cases/file/images';
import { openLinkKeys } from './use-cases/pass/link-keys';
import { renewLinks } from './use-cases/pass/renew-links';
import { createCredentials } from './use-cases/wallet/credentials';

const CONNECTIONS_PER_HOST = 4;
const ASSET_BYTES_MAX = 32 * 1024 * 1024;
/** Longer than anybody waits for an answer. */
const ABANDONED_MS = 30_000;

const clock = { now: () => new Date() };

type Around = Backend<typeof settings>;

/** Makes everything the use cases need, each part once, in order. */
export async function assemble(backend: Around): Promise<Deps> {
  const { connection, config } = backend;
  const sealing = await openSealing(connection, config);
  const around = { ...createStores(connection), ...createSurroundings(backend, sealing) };
  const wallets = createWallets(backend, sealing);
  const giving = createGiving(backend);
  const passes: PassDeps = {
    ...around,
    belongings: [distributionBelongings(around)],
    walletsOffered: async (workspaceId) =>
      offeredWallets(await wallets.credentials.status(workspaceId), config.publicUrl),
  };
  return {
    ...passes,
    ...wallets,
    ...giving,
    ...createServices(backend),
    receiptReader: openReceiptReader(backend),
    renewLinks: (whose, session) => renewLinks(passes, whose, session),
  };
}

/** What seals, and the keys that it keeps. */
interface Sealing {
  vault: Vault;
  linkKeys: LinkKeyStore;
  keys: LinkKeys;
}

async function openSealing(connection: Connection, config: Around['config']): Promise<Sealing> {
  const vault = createVault(config.secretsKey, config.secretsKeyPrevious);
  const linkKeys = createLinkKeyStore(connection, vault);
  const { isAny } = createPassStore(connection);
  return { vault, linkKeys, keys: await openLinkKeys({ linkKeys, isAnyPass: isAny }, config) };
}

/** The other services; which of their calls a use case may make stands in its part of `Deps`. */
function createServices({ config, client }: Around) {
  return {
    automations: client('automations', config.automationsTarget),
    identity: client('identity', config.identityTarget),
    rewards: client('rewards', config.rewardsTarget),
    clients: client('clients', config.clientsTarget),
    ledger: client('ledger', config.ledgerTarget),
    referrals: client('referrals', config.referralsTarget),
    tiers: client('tiers', config.tiersTarget),
  };
}

function createSurroundings(backend: Around, { keys }: Sealing) {
  const { config, connection, outbox, logger, lifecycle, client } = backend;
  const publicUrl = config.publicUrl.replace(/\/+$/, '');
  const services = createServices(backend);
  const agent = createAgent({
    allowInsecure: false,
    connections: CONNECTIONS_PER_HOST,
    timeoutMs: FETCH_MS_MAX,
  });
  lifecycle.onStop('image fetching', () => agent.close());
  return {
    ...services,
    outbox,
    logger,
    holder: newId(),
    clock,
    publicUrl,
    images: createImages(
      { connection, files: createFileStore(connection), clock, publicUrl },
      agent,
    ),
    assets: new LRUCache<string, ResizedImage>({
      maxSize: ASSET_BYTES_MAX,
      sizeCalculation: ({ content }) => content.length,
    }),
    drawing: createDrawing<ResizedImage, ResizedImage>(),
    links: createPassLinks({ keys: keys.links, publicUrl }),
    portalLinks: createPortalLinks(config.jwtSecret),
    references: referenceDirectory({
      automations: services.automations,
      campaigns: client('campaigns', config.campaignsTarget),
      clients: services.clients,
      referrals: services.referrals,
      tiers: services.tiers,
    }),
  };
}

function createWallets(
  { connection, config, lifecycle }: Around,
  { vault, keys, linkKeys }: Sealing,
) {
  const credentialsStore = createCredentialsStore(connection, vault);
  const applePush = createApplePush({ baseUrl: config.appleApnsUrl, ca: config.appleApnsCa });
  lifecycle.onStop('apple push', () => applePush.close());
  return {
    vault,
    linkKeys,
    applePush,
    circuits: createCircuits(clock),
    googleCallbacks: createGoogleCallbacks({ keysUrl: config.googleCallbackKeysUrl }),
    credentialsStore,
    credentials: createCredentials({ store: credentialsStore, settings: config, clock }),
    passTokens: createPassTokens(keys.tokens),
    googleApi: createGoogleApi({
      baseUrl: config.googleWalletUrl,
      tokenUrl: config.googleTokenUrl,
    }),
    googleSaveUrl: config.googleSaveUrl,
  };
}

/** What gives passes out: mail, tokens, and who enrols. */
function createGiving({ connection, config, logger, lifecycle, client }: Around) {
  const transports = createTransports(config, logger);
  lifecycle.onStop('mail', () => transports.close());
  return {
    messages: createMessageQueue(connection, transports.deliver, logger),
    tokens: createTokens(config.jwtSecret),
    enrollees: client('clients', config.clientsTarget),
    abandonedMs: ABANDONED_MS,
  };
}

function openReceiptReader({ config, lifecycle }: Around): ReceiptReader {
  const receiptReader = createReceiptReader({
    waitingMax: config.receiptWaitingMax,
    readMsMax: config.receiptMsMax,
    idleMs: config.receiptIdleMs,
  });
  lifecycle.onStop('receipt reader', async () => receiptReader.stop());
  return receiptReader;
}

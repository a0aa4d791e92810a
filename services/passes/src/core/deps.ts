import { createPortalLinks, type PortalLinks } from '@laurel/auth-cache';
import type { Backend } from '@laurel/backend';
import type { Outbox } from '@laurel/events';
import { type Logger, newId } from '@laurel/lifecycle';
import { type Connection, createKeptAnswers, type Session } from '@laurel/mongo';
import { createAgent } from '@laurel/outbound';
import {
  type common,
  type ReferenceDirectory,
  type RpcClient,
  referenceDirectory,
} from '@laurel/rpc';
import { createVault, type Vault } from '@laurel/vault';
import { LRUCache } from 'lru-cache';
import type { settings } from '../config';
import { FETCH_MS_MAX } from './images/fetch-image';
import { createImages, type Images } from './images/images';
import type { ResizedImage } from './images/resize-image';
import { openLinkKeys } from './link-keys';
import { createPassLinks, type PassLinks } from './links';
import { createDailyPassStore } from './store/daily-passes';
import { createFileStore } from './store/files';
import { createFormerBarcodeStore } from './store/former-barcodes';
import { createLinkKeyStore, type LinkKeyStore, type LinkKeys } from './store/link-keys';
import { createPassUpdateStore } from './store/pass-updates';
import { createPassStore } from './store/passes';
import { createProjectStore } from './store/projects';
import { createPushStore } from './store/pushes';
import { createRetiredPassStore } from './store/retired-passes';
import { createTemplateRefreshStore } from './store/template-refreshes';
import { createTemplateStore } from './store/templates';

const CONNECTIONS_PER_HOST = 4;
const ASSET_BYTES_MAX = 32 * 1024 * 1024;

/** The stores of projects, templates and passes, made once over the service's own database. */
export function createCoreStores(connection: Connection) {
  const passes = createPassStore(connection);
  return {
    connection,
    dailyPasses: createDailyPassStore(connection, passes),
    keptPassCounts: createKeptAnswers((workspaceId) => passes.count(workspaceId)),
    files: createFileStore(connection),
    formerBarcodes: createFormerBarcodeStore(connection),
    passes,
    projects: createProjectStore(connection),
    passUpdates: createPassUpdateStore(connection),
    pushes: createPushStore(connection),
    retiredPasses: createRetiredPassStore(connection),
    templateRefreshes: createTemplateRefreshStore(connection),
    templates: createTemplateStore(connection),
  };
}

/** What another part keeps of projects and templates; asked in the transaction that takes one away. */
export interface Belongings {
  /** What names a template in a way that forbids to delete it. */
  usersOfTemplate(
    workspaceId: string,
    templateId: string,
    session: Session,
  ): Promise<common.Reference[]>;
  /** Puts whatever was on a template on the one that it is migrated to. */
  moveToTemplate(
    workspaceId: string,
    templateId: string,
    target: { id: string; project_id: string },
    session: Session,
  ): Promise<void>;
  /** Takes along what belongs to a project; the ids of its distributions, which may be named elsewhere. */
  removeOfProject(workspaceId: string, projectId: string, session: Session): Promise<string[]>;
  /** The fields that visitors are asked for, by their bare names. */
  fieldsAsked(workspaceId: string): Promise<string[]>;
}

/** What use cases are given; each names the part it needs. */
export type CoreDeps = ReturnType<typeof createCoreStores> & {
  belongings: readonly Belongings[];
  outbox: Pick<Outbox, 'append'>;
  clock: { now(): Date };
  logger: Logger;
  /** This process, as leases name it. */
  holder: string;
  links: PassLinks;
  /** Into which wallets people are shown the way. */
  walletsOffered(workspaceId: string): Promise<{ apple: boolean; google: boolean }>;
  images: Images;
  /** Files as they were asked for lately. */
  assets: {
    get(key: string): ResizedImage | undefined;
    set(key: string, asset: ResizedImage): unknown;
  };
  portalLinks: Pick<PortalLinks, 'sealPortalLink'>;
  /** Where the platform is reached from outside, without a slash at the end. */
  publicUrl: string;
  clients: Pick<
    RpcClient<'clients'>,
    'GetClients' | 'GetClientStanding' | 'GetTransactionMetrics' | 'ListFields' | 'RecordTrail'
  >;
  ledger: Pick<RpcClient<'ledger'>, 'GetBalances' | 'ListWalletTypes'>;
  identity: Pick<RpcClient<'identity'>, 'GetPortalConfig' | 'GetWorkspace'>;
  rewards: Pick<RpcClient<'rewards'>, 'ListClientRewards' | 'ListRedemptions' | 'ListRewards'>;
  referrals: Pick<RpcClient<'referrals'>, 'Attribute' | 'GetClientReferral'>;
  tiers: Pick<RpcClient<'tiers'>, 'GetClientTiers' | 'GetTiers' | 'ListTiers'>;
  /** Who names templates and distributions. */
  references: ReferenceDirectory;
};

/** What seals, and the keys that it keeps. */
export interface Sealing {
  vault: Vault;
  linkKeys: LinkKeyStore;
  keys: LinkKeys;
}

export async function openSealing(
  connection: Connection,
  config: Backend<typeof settings>['config'],
): Promise<Sealing> {
  const vault = createVault(config.secretsKey, config.secretsKeyPrevious);
  const linkKeys = createLinkKeyStore(connection, vault);
  const { isAny } = createPassStore(connection);
  return { vault, linkKeys, keys: await openLinkKeys({ linkKeys, isAnyPass: isAny }, config) };
}

export function createCoreDeps(
  connection: Connection,
  { config, outbox, logger, lifecycle, client }: Backend<typeof settings>,
  { keys }: Sealing,
): Omit<CoreDeps, 'belongings' | 'walletsOffered'> {
  const stores = createCoreStores(connection);
  const clock = { now: () => new Date() };
  const publicUrl = config.publicUrl.replace(/\/+$/, '');
  const agent = createAgent({
    allowInsecure: false,
    connections: CONNECTIONS_PER_HOST,
    timeoutMs: FETCH_MS_MAX,
  });
  lifecycle.onStop('image fetching', () => agent.close());
  const clients = client('clients', config.clientsTarget);
  const referrals = client('referrals', config.referralsTarget);
  return {
    ...stores,
    images: createImages({ ...stores, clock, publicUrl }, agent),
    assets: new LRUCache<string, ResizedImage>({
      maxSize: ASSET_BYTES_MAX,
      sizeCalculation: ({ content }) => content.length,
    }),
    outbox,
    logger,
    holder: newId(),
    clock,
    links: createPassLinks({ keys: keys.links, publicUrl }),
    portalLinks: createPortalLinks(config.jwtSecret),
    publicUrl,
    identity: client('identity', config.identityTarget),
    rewards: client('rewards', config.rewardsTarget),
    clients,
    ledger: client('ledger', config.ledgerTarget),
    referrals,
    tiers: client('tiers', config.tiersTarget),
    references: referenceDirectory({
      automations: client('automations', config.automationsTarget),
      campaigns: client('campaigns', config.campaignsTarget),
      clients,
      referrals,
    }),
  };
}

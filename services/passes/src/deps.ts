import type { PortalLinks, Tokens } from '@laurel/auth-cache';
import type { Outbox } from '@laurel/events';
import type { Logger } from '@laurel/lifecycle';
import type { MessageQueue } from '@laurel/mail';
import { type Connection, createDepartures, createKeptAnswers, type Session } from '@laurel/mongo';
import type { common, ReferenceDirectory, RpcClient } from '@laurel/rpc';
import type { Vault } from '@laurel/secrets';
import { collections } from './collections';
import type { PassLinks } from './domain/pass/links';
import type { ProvenClient } from './domain/pass/pass';
import type { ApplePush } from './outside/apple/push';
import type { PassTokens } from './outside/apple/token';
import type { Circuits } from './outside/circuits';
import type { GoogleApi } from './outside/google/api';
import type { GoogleCallbacks } from './outside/google/callback';
import type { Drawing } from './outside/images/drawing';
import type { ResizedImage } from './outside/images/resize-image';
import type { ReceiptReader } from './outside/receipts/receipt-reader';
import type { SendWindows } from './outside/send-windows';
import { createConfirmationStore } from './store/confirmations';
import { createContentStore } from './store/contents';
import type { CredentialsStore } from './store/credentials';
import { createDailyPassStore } from './store/daily-passes';
import { createDistributionStore } from './store/distributions';
import { createDrawnPictureStore } from './store/drawn-pictures';
import { createEnrollmentMailStore } from './store/enrollment-mails';
import { createEnrollmentStore } from './store/enrollments';
import { createFileStore } from './store/files';
import { createFormerBarcodeStore } from './store/former-barcodes';
import { createGoogleCallbackStore } from './store/google-callbacks';
import { createGoogleObjectStore } from './store/google-objects';
import { createInstallStore } from './store/installs';
import type { LinkKeyStore } from './store/link-keys';
import { createMobileAppStore } from './store/mobile-apps';
import { createPassUpdateStore } from './store/pass-updates';
import { createPassStore } from './store/passes';
import { createProjectStore } from './store/projects';
import { createPushStore } from './store/pushes';
import { createRegistrationStore } from './store/registrations';
import { createResendStore } from './store/resends';
import { createRetiredPassStore } from './store/retired-passes';
import { createStaffOperationStore } from './store/staff-operations';
import { createSubmissionStore } from './store/submissions';
import { createTemplateRefreshStore } from './store/template-refreshes';
import { createTemplateStore } from './store/templates';
import type { Credentials } from './use-cases/wallet/credentials';

/** The stores of this service, made once over its own database. */
export function createStores(connection: Connection) {
  const passes = createPassStore(connection);
  return {
    connection,
    collections,
    departures: createDepartures(connection),
    dailyPasses: createDailyPassStore(connection, passes),
    keptPassCounts: createKeptAnswers((workspaceId) => passes.count(workspaceId)),
    drawnPictures: createDrawnPictureStore(connection),
    files: createFileStore(connection),
    formerBarcodes: createFormerBarcodeStore(connection),
    passes,
    projects: createProjectStore(connection),
    passUpdates: createPassUpdateStore(connection),
    pushes: createPushStore(connection),
    retiredPasses: createRetiredPassStore(connection),
    templateRefreshes: createTemplateRefreshStore(connection),
    templates: createTemplateStore(connection),
    contents: createContentStore(connection),
    googleObjects: createGoogleObjectStore(connection),
    heededCallbacks: createGoogleCallbackStore(connection),
    installs: createInstallStore(connection),
    registrations: createRegistrationStore(connection),
    distributions: createDistributionStore(connection),
    enrollments: createEnrollmentStore(connection),
    enrollmentMails: createEnrollmentMailStore(connection),
    confirmations: createConfirmationStore(connection),
    resends: createResendStore(connection),
    submissions: createSubmissionStore(connection),
    mobileApps: createMobileAppStore(connection),
    staffOperations: createStaffOperationStore(connection),
  };
}

/** Where the pictures of passes come from. Who would be one too many to wait for an address is refused (`file/waits.ts`). */
export interface Images {
  /** Which file an image source (file id or https URL) is now, whose bytes never change; null where an address gives no picture. */
  idOf(workspaceId: string, source: string): Promise<string | null>;
  /** The bytes of an image source; null where there is no such picture. */
  load(workspaceId: string, source: string): Promise<Buffer | null>;
  /** A public address of the picture; null where there is none. */
  addressOf(workspaceId: string, source: string): Promise<string | null>;
  /** Lets an address be asked anew, whatever it gave before; another process asks one that gave nothing within a minute. */
  refresh(workspaceId: string, url: string): Promise<void>;
}

/** What another part keeps of projects and templates; asked in the transaction that takes one away. */
export interface Belongings {
  /** What names a template in a way that forbids to delete it. */
  usersOfTemplate(
    workspaceId: string,
    templateId: string,
    session: Session,
  ): Promise<common.Reference[]>;
  /** Puts whatever was on a template on the one that it is migrated to, or into the project that it moves to. */
  moveToTemplate(
    workspaceId: string,
    move: { from: string; target: { id: string; project_id: string } },
    session: Session,
  ): Promise<void>;
  /** Takes along what belongs to a project; the ids of its distributions, which may be named elsewhere. */
  removeOfProject(workspaceId: string, projectId: string, session: Session): Promise<string[]>;
  /** The fields that visitors are asked for, by their bare names. */
  fieldsAsked(workspaceId: string): Promise<string[]>;
}

/** What use cases of projects, templates, passes and files are given; each names the part it needs. */
export type PassDeps = ReturnType<typeof createStores> & {
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
  /** The turn of a workspace's pictures in other sizes. */
  drawing: Drawing<ResizedImage, ResizedImage>;
  portalLinks: Pick<PortalLinks, 'sealPortalLink'>;
  /** Where the platform is reached from outside, without a slash at the end. */
  publicUrl: string;
  clients: Pick<
    RpcClient<'clients'>,
    | 'GetClients'
    | 'GetClientStanding'
    | 'GetTransactionMetrics'
    | 'ListFields'
    | 'ListSuccessors'
    | 'PreviewSegment'
    | 'RecordTrail'
  >;
  ledger: Pick<RpcClient<'ledger'>, 'GetBalances' | 'ListWalletTypes'>;
  identity: Pick<
    RpcClient<'identity'>,
    'GetBrand' | 'GetMailWriter' | 'GetPortalConfig' | 'GetWorkspace'
  >;
  rewards: Pick<RpcClient<'rewards'>, 'ListClientRewards' | 'ListRedemptions' | 'ListRewards'>;
  referrals: Pick<RpcClient<'referrals'>, 'Attribute' | 'GetClientReferral'>;
  tiers: Pick<RpcClient<'tiers'>, 'GetClientTiers' | 'GetTiers' | 'ListTiers'>;
  /** Who names templates and distributions. */
  references: ReferenceDirectory;
};

/** What use cases of wallets have beyond that: credentials, and the ways to Apple and Google. */
export type WalletDeps = PassDeps & {
  ledger: Pick<RpcClient<'ledger'>, 'ListBalances'>;
  vault: Vault;
  linkKeys: LinkKeyStore;
  applePush: ApplePush;
  circuits: Circuits;
  googleCallbacks: GoogleCallbacks;
  credentialsStore: CredentialsStore;
  credentials: Credentials;
  passTokens: PassTokens;
  googleApi: GoogleApi;
  googleSaveUrl: string;
};

/** What pushes have beyond that. */
export type PushDeps = WalletDeps & { windows: SendWindows };

/** What use cases of distributions and enrollments have beyond that. */
export type EnrollmentDeps = PassDeps & {
  messages: Pick<MessageQueue, 'enqueue' | 'jobs'>;
  tokens: Tokens;
  enrollees: Pick<
    RpcClient<'clients'>,
    | 'FindClientBy'
    | 'CreateClient'
    | 'UpdateClient'
    | 'GetClients'
    | 'ListFields'
    | 'NoteAddressProof'
    | 'NoteReachedPhone'
  >;
  /** Makes the links of a client's passes anew, once their address is proven. */
  renewLinks(whose: ProvenClient, session: Session): Promise<void>;
  /** After this long no visitor is expected to be at an enrollment any more. */
  abandonedMs: number;
};

/** What use cases of the staff app have beyond that: the services that it reads from and acts through. */
export type MobileDeps = PassDeps & {
  receiptReader: Pick<ReceiptReader, 'read'>;
  automations: Pick<RpcClient<'automations'>, 'FollowEvent' | 'Simulate'>;
  identity: Pick<RpcClient<'identity'>, 'GetSettings' | 'ListRoles' | 'PutMobileAppAccess'>;
  clients: Pick<
    RpcClient<'clients'>,
    | 'CreateClient'
    | 'GetClients'
    | 'GetEvent'
    | 'ListEvents'
    | 'ListFields'
    | 'QuoteUpdate'
    | 'RecordTrail'
    | 'SearchClients'
    | 'UpdateClient'
  >;
  ledger: Pick<
    RpcClient<'ledger'>,
    | 'CancelEntry'
    | 'EarnPoints'
    | 'GetBalances'
    | 'GetEntry'
    | 'ListEntries'
    | 'ListWalletTypes'
    | 'QuoteEarn'
    | 'QuoteSpend'
    | 'SpendPoints'
  >;
  tiers: Pick<
    RpcClient<'tiers'>,
    'AssignTier' | 'GetClientTier' | 'GetTiers' | 'ListTiers' | 'QuoteAssignment'
  >;
  rewards: Pick<
    RpcClient<'rewards'>,
    | 'CancelRedemption'
    | 'GetRedemption'
    | 'GetRewards'
    | 'GiveReward'
    | 'ListClientRewards'
    | 'ListRedemptions'
    | 'ListRewards'
    | 'QuoteGift'
    | 'QuoteRedemption'
    | 'RedeemReward'
    | 'UseRedemption'
    | 'ValidateCoupon'
  >;
};

/** What the whole service is made of. */
export type Deps = PassDeps & WalletDeps & EnrollmentDeps & MobileDeps;

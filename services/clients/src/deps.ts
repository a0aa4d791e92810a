import type { Json } from '@laurel/errors';
import type { Outbox } from '@laurel/events';
import type { Logger } from '@laurel/lifecycle';
import type { Connection, Session } from '@laurel/mongo';
import type { clients as api, ReferenceDirectory, RpcClient } from '@laurel/rpc';
import { collections } from './collections';
import { createActivityStore } from './store/activity';
import { createAddressProofStore } from './store/address-proofs';
import { createBackfillPartStore } from './store/backfill-parts';
import { createBackfillStore } from './store/backfills';
import { createClientStore } from './store/clients';
import { createDailySignupStore } from './store/daily-signups';
import { createDeedStore } from './store/deeds';
import { createEventStore } from './store/events';
import { createFieldStore } from './store/fields';
import { createIdentityStore } from './store/identities';
import { createImportStore } from './store/imports';
import { createMetricsStore } from './store/metrics';
import { createNarrowedStore } from './store/narrowed-clients';
import { createPassIndexStore } from './store/pass-index';
import { createProcessStore } from './store/processes';
import { createProfileStore } from './store/profiles';
import { createSaleStore } from './store/sales';
import { createSegmentStore } from './store/segments';
import { createTombstoneStore } from './store/tombstones';

/** The stores of this service, made once over its own database. */
export function createStores(connection: Connection) {
  const clients = createClientStore(connection);
  const events = createEventStore(connection);
  return {
    connection,
    collections,
    addressProofs: createAddressProofStore(connection),
    activity: createActivityStore(connection, events),
    backfillParts: createBackfillPartStore(connection),
    backfills: createBackfillStore(connection),
    clients,
    deeds: createDeedStore(connection),
    dailySignups: createDailySignupStore(connection, clients),
    events,
    sales: createSaleStore(connection),
    fields: createFieldStore(connection),
    imports: createImportStore(connection),
    identities: createIdentityStore(connection),
    metrics: createMetricsStore(connection),
    narrowed: createNarrowedStore(connection),
    passes: createPassIndexStore(connection),
    processes: createProcessStore(connection),
    profiles: createProfileStore(connection),
    segments: createSegmentStore(connection),
    tombstones: createTombstoneStore(connection),
  };
}

/** The transaction of one workspace that work is done in. */
export interface WorkspaceUnit {
  workspaceId: string;
  session: Session;
}

export interface Clock {
  now(): Date;
}

/** The ledger, as far as segments and merging and erasing a person need it. */
export type LedgerPeer = Pick<
  RpcClient<'ledger'>,
  | 'QuoteMerge'
  | 'MergeClientWallets'
  | 'CloseClientWallets'
  | 'ScrubClient'
  | 'ListWalletTypes'
  | 'ListWalletHeads'
>;

/** The tiers of a workspace and who is in them, as far as segments need it. */
export type TierPeer = Pick<RpcClient<'tiers'>, 'GetTiers' | 'GetClientTiers'>;

/** The pass templates of a workspace, as far as segments name them. */
export type PassPeer = Pick<RpcClient<'passes'>, 'GetTemplates'>;

/**
 * Another service that holds something of a person, and what it is asked for the right of access. One that may hold more than a
 * message does gives the text of its JSON object in pieces.
 */
export type PersonHolder =
  | { ExportClient(request: api.ClientRequest): Promise<{ data?: Json }> }
  | LongHolder;

/** Of the release before one gives all of it in one message. */
export interface LongHolder {
  StreamClientExport(
    request: api.ClientRequest,
    begin: { withinMs: number },
  ): AsyncIterable<api.TextChunk>;
  inOneMessage(request: api.ClientRequest): Promise<{ data?: Json }>;
}

/** The service that keeps passes, asked about one of which no event has come yet. */
export type PassKeeper = Pick<RpcClient<'passes'>, 'LocatePasses'>;

/** What use cases are given; each names the part it needs. */
export type Deps = ReturnType<typeof createStores> & {
  outbox: Pick<Outbox, 'append'>;
  clock: Clock;
  ledger: LedgerPeer;
  tiers: TierPeer;
  templates: PassPeer;
  passKeeper: PassKeeper;
  /** Who names segments, besides segments themselves. */
  references: ReferenceDirectory;
  /** By the section of the export that each fills. */
  holders: Readonly<Record<string, PersonHolder>>;
  logger: Pick<Logger, 'error' | 'warn'>;
};

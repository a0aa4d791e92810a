import type { Logger } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { RpcClient } from '@laurel/rpc';
import type { Vault } from '@laurel/vault';
import type { Rest } from '../outbound/rest';
import { createBackfillStore } from '../store/backfills';
import { createImportJobStore } from '../store/import-jobs';
import { createImportRecordStore } from '../store/import-records';
import { createInboxMessageStore } from '../store/inbox-messages';
import { createInboxStore } from '../store/inboxes';
import { createIntegrationStore } from '../store/integrations';
import { createOutboundJobStore } from '../store/outbound-jobs';

/** The stores of integrations, made once over the service's own database. */
export function createIntegrationStores(connection: Connection) {
  return {
    connection,
    integrations: createIntegrationStore(connection),
    inboxes: createInboxStore(connection),
    messages: createInboxMessageStore(connection),
    outboundJobs: createOutboundJobStore(connection),
    backfills: createBackfillStore(connection),
    importJobs: createImportJobStore(connection),
    importRecords: createImportRecordStore(connection),
  };
}

/** What the use cases of integrations work with. */
export type IntegrationDeps = ReturnType<typeof createIntegrationStores> & {
  vault: Vault;
  rest: Rest;
  logger: Logger;
  clock: { now(): Date };
  clients: Pick<
    RpcClient<'clients'>,
    | 'FindClientBy'
    | 'GetClients'
    | 'ListClients'
    | 'ListExternalIdentities'
    | 'PutExternalIdentity'
    | 'RecordTrail'
  >;
  passes: Pick<RpcClient<'passes'>, 'FindPassByBarcode'>;
  tiers: Pick<RpcClient<'tiers'>, 'GetClientTiers'>;
  identity: Pick<RpcClient<'identity'>, 'GetSettings'>;
  /** Pokes to be given after a commit. */
  soon: { inbox(): void; outbound(): void; imports(): void };
  settings: {
    allowInsecure: boolean;
    publicUrl: string;
    messageDays: number;
  };
};

import type { Outbox } from '@laurel/events';
import type { Logger } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { ReferenceDirectory, RpcClient } from '@laurel/rpc';
import { collections } from './collections';
import { createHistoryStore } from './store/history';
import { createMemberStore } from './store/members';
import { createPassStore } from './store/passes';
import { createResyncJobStore } from './store/resync-jobs';
import { createTierSetStore } from './store/tier-sets';
import { createTierStore } from './store/tiers';
import { createWorkspaceStore } from './store/workspaces';

/** The stores of this service, made once over its own database. */
export function createStores(connection: Connection) {
  return {
    connection,
    collections,
    history: createHistoryStore(connection),
    members: createMemberStore(connection),
    passes: createPassStore(connection),
    resyncJobs: createResyncJobStore(connection),
    tierSets: createTierSetStore(connection),
    tiers: createTierStore(connection),
    workspaces: createWorkspaceStore(connection),
  };
}

export interface Clock {
  now(): Date;
}

/** What use cases are given; each names the part it needs. */
export type Deps = ReturnType<typeof createStores> & {
  outbox: Pick<Outbox, 'append'>;
  clock: Clock;
  logger: Pick<Logger, 'warn' | 'error'>;
  clients: Pick<RpcClient<'clients'>, 'GetClientStanding' | 'GetClients'>;
  ledger: Pick<RpcClient<'ledger'>, 'ListWalletTypes'>;
  passTemplates: Pick<RpcClient<'passes'>, 'GetTemplates'>;
  references: ReferenceDirectory;
};

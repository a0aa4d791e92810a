import type { Outbox } from '@laurel/events';
import type { InTurn } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { RpcClient } from '@laurel/rpc';
import { collections } from './collections';
import type { PickNumber } from './domain/code';
import { createClosingStore } from './store/closings';
import { createCodeStore } from './store/codes';
import { createDistributionStore } from './store/distributions';
import { createPersonStore } from './store/people';
import { createProgramStore } from './store/programs';
import { createReferralStore } from './store/referrals';
import { createStatisticsStore } from './store/statistics';

/** The stores of this service, made once over its own database. */
export function createStores(connection: Connection) {
  return {
    connection,
    collections,
    closings: createClosingStore(connection),
    codes: createCodeStore(connection),
    distributions: createDistributionStore(connection),
    people: createPersonStore(connection),
    programs: createProgramStore(connection),
    referrals: createReferralStore(connection),
    statistics: createStatisticsStore(connection),
  };
}

/** What use cases are given; each names the part it needs. */
export type Deps = ReturnType<typeof createStores> & {
  outbox: Pick<Outbox, 'append'>;
  /** Of the workspace named, or of the one that the work going on is for. */
  clock: { now(workspaceId?: string): Date };
  clients: Pick<RpcClient<'clients'>, 'GetClientStanding' | 'GetClients'>;
  /** Cryptographic, but for tests. */
  pickNumber: PickNumber;
  inTurn: InTurn;
};

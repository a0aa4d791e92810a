import type { ClientStatus } from '@laurel/contract';
import { createOutbox } from '@laurel/events';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { ledger } from '@laurel/rpc';
import { nothingReferenced, silentLogger, testStore, workOffJob } from '@laurel/testing';
import { assemble, type Surroundings } from '../assemble';
import { collections } from '../collections';
import type { Deps } from '../deps';
import { jobs } from '../jobs';
import { rpcHandlers } from '../rpc';
import type { EntryDocument } from '../store/documents';
import type { Standings } from '../store/standings';

interface FakeStandings extends Standings {
  set(id: string, to: ClientStatus | null): void;
  becomes(id: string, successor: string): void;
}

/** Every client exists and is active, but for those that are set, and none was merged but those that became others. */
export function fakeStandings(): FakeStandings {
  const known = new Map<string, ClientStatus | null>();
  const merged = new Map<string, string>();
  return {
    of: async (_workspaceId, clientId) => (known.has(clientId) ? known.get(clientId)! : 'active'),
    gone: (clientId, standing) => void known.set(clientId, standing),
    set: (clientId, standing) => void known.set(clientId, standing),
    successors: async (_workspaceId, ids) =>
      new Map(ids.flatMap((id) => (merged.has(id) ? [[id, merged.get(id)!] as const] : []))),
    becomes: (clientId, successor) => void merged.set(clientId, successor),
  };
}

export interface TestLedger {
  deps: Deps;
  standings: ReturnType<typeof fakeStandings>;
  rpc: ReturnType<typeof rpcHandlers>;
  connection: Connection;
  /** Another process on the same database. */
  replica(around?: Partial<Surroundings>): Promise<TestLedger>;
  /** Removes what the store may by then, as its monitor would. */
  expire(now: Date): Promise<void>;
  drop(): Promise<void>;
}

/** The ledger as service.ts puts it together, on a database of its own, without the network. */
export async function testLedger(around: Partial<Surroundings> = {}): Promise<TestLedger> {
  const store = await testStore(collections);
  const { connection } = store;
  const make = async (more: Partial<Surroundings>): Promise<TestLedger> => {
    const standings = fakeStandings();
    const deps = await assemble({
      connection,
      outbox: createOutbox(connection),
      standings,
      references: nothingReferenced,
      logger: silentLogger,
      ...around,
      ...more,
    });
    return {
      deps,
      standings,
      rpc: rpcHandlers(deps),
      connection,
      replica: (own = {}) => make(own),
      expire: (now) => store.expire(now),
      drop: async () => {
        await deps.log.drained();
        await store.drop();
      },
    };
  };
  return make({});
}

/** A workspace with a default wallet type `points`. */
export async function testWorkspace(
  { rpc }: Pick<TestLedger, 'rpc'>,
  type: Partial<ledger.CreateWalletTypeRequest> = {},
): Promise<string> {
  const workspaceId = newId();
  await rpc.CreateWalletType({
    workspace_id: workspaceId,
    code: 'points',
    name: 'Points',
    ...type,
  });
  return workspaceId;
}

/** All entries of a wallet, in order. */
export async function logOf(
  { deps }: Pick<TestLedger, 'deps'>,
  workspaceId: string,
  walletId: string,
): Promise<EntryDocument[]> {
  const entries: EntryDocument[] = [];
  for await (const entry of deps.entries.ofWallets(workspaceId, [walletId])) entries.push(entry);
  return entries;
}

/** Settles what is due in wallets, as the job does by itself. */
export const settleDue = (deps: Deps): Promise<number> => workOffJob(jobs(deps), 'settle');

/** Runs a command as a caller with an operation of its own would. */
export function asCaller<T>(work: () => Promise<T>, operationId = newId()): Promise<T> {
  return runInContext(systemContext({ operationId }), work);
}

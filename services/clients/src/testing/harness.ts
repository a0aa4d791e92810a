import { type CloudEvent, createOutbox, inboxIndexes } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { type Connection, unitOfWork } from '@laurel/mongo';
import type { clients as api, passes } from '@laurel/rpc';
import { nothingReferenced, silentLogger, testClock, testStore } from '@laurel/testing';
import { collections } from '../collections';
import { createStores, type Deps, type LedgerPeer, type PassPeer, type TierPeer } from '../deps';
import { createClient } from '../use-cases/create-client';

/** Calls that the ledger got, and a way to make it fail from when a merge has begun. */
export function fakeLedger() {
  const calls: { method: string; request: unknown }[] = [];
  let isAway = false;
  const quote =
    (method: string, reply: unknown) =>
    async (request: unknown): Promise<never> => {
      calls.push({ method, request });
      return reply as never;
    };
  const answer =
    (method: string, reply: unknown) =>
    async (request: unknown): Promise<never> => {
      if (isAway) throw new Error('the ledger is away');
      return quote(method, reply)(request);
    };
  return {
    calls,
    goAway: () => {
      isAway = true;
    },
    comeBack: () => {
      isAway = false;
    },
    QuoteMerge: quote('QuoteMerge', {}),
    MergeClientWallets: answer('MergeClientWallets', { transfers: [] }),
    CloseClientWallets: answer('CloseClientWallets', { entries: [] }),
    ScrubClient: answer('ScrubClient', { entries_scrubbed: 0 }),
    async *StreamClientExport(request: unknown) {
      yield await answer('StreamClientExport', { text: '{"wallets":[],' })(request);
      yield { text: '"ledger_entries":[]}' };
    },
    ListWalletHeads: answer('ListWalletHeads', { heads: [] }),
    ListWalletTypes: answer('ListWalletTypes', { wallet_types: [{ code: 'points' }] }),
  };
}

/** Every workspace has one tier, whose name is its id. */
export const KNOWN_TIER = 'a0000000-0000-7000-8000-000000000001';
const fakeTiers = {
  GetTiers: async ({ ids }: { ids: string[] }) => ({
    tiers: ids.filter((id) => id === KNOWN_TIER).map((id) => ({ id })),
  }),
  GetClientTiers: async ({ client_ids: ids }: { client_ids: string[] }) => ({
    placements: ids.map((client_id) => ({ client_id, tier_id: KNOWN_TIER })),
  }),
} as unknown as TierPeer;
/** Every template is known. */
const fakeTemplates = {
  GetTemplates: async ({ ids }: { ids: string[] }) => ({ templates: ids.map((id) => ({ id })) }),
} as unknown as PassPeer;

export type Harness = Awaited<ReturnType<typeof createHarness>>;

/** The use cases' dependencies on a database of the test's own, with a ledger that only remembers. */
export async function createHarness() {
  const store = await testStore([...collections, inboxIndexes]);
  const clock = testClock();
  const ledger = fakeLedger();
  const untold: passes.PassLocation[] = [];
  const depsOver = (connection: Connection, peer: LedgerPeer = ledger): Deps => ({
    ...createStores(connection),
    outbox: createOutbox(connection),
    clock,
    ledger: peer,
    tiers: fakeTiers,
    templates: fakeTemplates,
    passKeeper: {
      LocatePasses: async ({ pass_ids }) => ({
        passes: untold.filter((pass) => pass_ids.includes(pass.pass_id)),
      }),
    },
    holders: { ledger: { ...ledger, inOneMessage: async () => ({ data: { wallets: [] } }) } },
    references: nothingReferenced,
    logger: silentLogger,
  });
  const deps = depsOver(store.connection);
  const workspaceId = newId();

  /** Everything sent to other services so far, oldest first; with `type`, only that. */
  async function told(type?: string): Promise<CloudEvent[]> {
    const rows = await store.connection
      .collection<{ _id: string; event: CloudEvent }>('outbox')
      .find({})
      .sort({ _id: 1 })
      .toArray();
    const events = rows.map((row) => row.event);
    return type === undefined ? events : events.filter((event) => event.type === type);
  }

  return {
    deps,
    /** Another process of the service, as it sees store and ledger. */
    depsOver,
    clock,
    ledger,
    workspaceId,
    told,
    expire: () => store.expire(clock.now()),
    drop: () => store.drop(),

    client: (fields: Partial<api.CreateClientRequest> = {}) =>
      createClient(deps, { workspace_id: workspaceId, ...fields }),

    /** A pass that exists, and of which no event has come yet. */
    untoldPass(clientId: string | null): string {
      const pass = { pass_id: newId(), workspace_id: workspaceId, client_id: clientId };
      untold.push({ ...pass, project_id: newId(), pass_template_id: newId() });
      return pass.pass_id;
    },

    async pass(clientId: string | null, workspace = workspaceId): Promise<string> {
      const passId = newId();
      const pass = { passId, workspaceId: workspace, clientId, templateId: newId() };
      const asOf = { revision: null, at: clock.now() };
      await unitOfWork(store.connection, (session) => deps.passes.put(pass, asOf, session));
      return passId;
    },
  };
}

import { createPortalLinks } from '@laurel/auth-cache';
import {
  type CloudEvent,
  createEvent,
  createOutbox,
  type EventMap,
  type EventType,
  inboxIndexes,
  listenerFor,
  type Once,
} from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { type Connection, isDuplicateKey, unitOfWork } from '@laurel/mongo';
import type { passes as api, clients, identity, ledger, rewards, tiers } from '@laurel/rpc';
import { nothingReferenced, silentLogger, testClock, testStore } from '@laurel/testing';
import { collections } from '../collections';
import { passConsumers } from '../consumers';
import { createStores, type PassDeps } from '../deps';
import { createPassLinks } from '../domain/pass/links';
import { createDrawing } from '../outside/images/drawing';
import { createPass } from '../use-cases/pass/create-pass';
import { createProject } from '../use-cases/project/create-project';
import { createTemplate } from '../use-cases/template/create-template';

type Made = Parameters<typeof createPass>[2];

export type Harness = Awaited<ReturnType<typeof createHarness>>;

/** What the services around this one know; tests change it as they go. */
export function createPeers() {
  return {
    clients: new Map<string, Partial<clients.Client>>(),
    /** Whom merged clients became. */
    successors: new Map<string, string>(),
    fields: [] as string[],
    /** What forms of the workspace ask for. */
    fieldsAsked: [] as string[],
    walletTypes: [] as Partial<ledger.WalletType>[],
    balances: new Map<string, number>(),
    tiers: [] as Partial<tiers.Tier>[],
    tierOf: new Map<string, string>(),
    rewards: [] as Partial<rewards.ClientReward>[],
    redemptions: [] as Partial<rewards.Redemption>[],
    trail: [] as clients.TrailEntry[],
  };
}

/** The use cases on a database of the test's own. */
export async function createHarness() {
  const store = await testStore([...collections, inboxIndexes]);
  const clock = testClock();
  const workspaceId = newId();
  const peers = createPeers();
  const deps = depsOver(store.connection, peers, clock);

  const event = <Type extends EventType>(type: Type, data: EventMap[Type]) =>
    createEvent(type, { workspaceId, subject: newId(), data, time: clock.now() });

  async function told(type: string): Promise<CloudEvent[]> {
    const rows = await store.connection
      .collection<{ _id: string; event: CloudEvent }>('outbox')
      .find({ 'event.type': type })
      .sort({ _id: 1 })
      .toArray();
    return rows.map((row) => row.event);
  }

  return {
    deps,
    peers,
    clock,
    workspaceId,
    event,
    told,
    connection: store.connection,
    /** Another process of the service, as it sees the store. */
    depsOver: (connection: Connection) => depsOver(connection, peers, clock),
    drop: () => store.drop(),

    client(more: Partial<clients.Client> = {}): string {
      const id = newId();
      peers.clients.set(id, { id, workspace_id: workspaceId, custom_fields: {}, ...more });
      return id;
    },

    project: () => createProject(deps, { workspace_id: workspaceId, name: 'Corner', extra: {} }),

    async template(projectId: string, fields: api.TemplateFields = {}): Promise<api.Template> {
      const named = { name: 'Card', ...fields };
      const request = { workspace_id: workspaceId, project_id: projectId, fields: named };
      return (await createTemplate(deps, request)).template!;
    },

    pass(template: api.Template, more: Partial<api.CreatePassRequest> = {}, made?: Made) {
      const { id: pass_template_id, project_id } = template;
      const request = { workspace_id: workspaceId, project_id, pass_template_id, ...more };
      return createPass(deps, request, made);
    },

    /** Passes that a wallet update is owed for. */
    async owed(): Promise<string[]> {
      const rows = await store.connection
        .collection<{ _id: string }>('pass_updates')
        .find({ pending: true })
        .toArray();
      return rows.map((row) => row._id);
    },

    async deliver(told: CloudEvent): Promise<void> {
      for (const spec of passConsumers(deps)) {
        const listener = listenerFor(spec, told.type);
        await listener?.(told, onceFor(store.connection, `${spec.queue}:${told.id}`));
      }
    },
  };
}

class AlreadyHandled extends Error {}

/** The inbox of one event: its effect is there once, however often it is delivered. */
function onceFor(connection: Connection, key: string): Once {
  const inbox = connection.collection<{ _id: string }>('inbox');
  return async (effect) => {
    try {
      await unitOfWork(connection, async (session) => {
        await inbox.insertOne({ _id: key }, { session }).catch((error: unknown) => {
          throw isDuplicateKey(error) ? new AlreadyHandled() : error;
        });
        await effect(session);
      });
    } catch (error) {
      if (!(error instanceof AlreadyHandled)) throw error;
    }
  };
}

function depsOver(
  connection: Connection,
  peers: ReturnType<typeof createPeers>,
  clock: { now(): Date },
): PassDeps {
  return {
    ...createStores(connection),
    belongings: [formsOf(peers)],
    references: nothingReferenced,
    images: {
      idOf: async () => null,
      load: async () => null,
      addressOf: async () => null,
      refresh: async () => {},
    },
    assets: new Map(),
    drawing: createDrawing(),
    portalLinks: createPortalLinks('a secret of a test'),
    publicUrl: 'http://localhost:8080',
    identity: {
      GetWorkspace: async ({ workspace_id }) => ({ id: workspace_id }) as identity.Workspace,
      GetBrand: async () => ({}),
      GetMailWriter: async () => ({
        language: 'en',
        brand: { name: 'Coffee', colour: '#1F6F54', logo_url: null },
      }),
      GetPortalConfig: async () => ({
        config: { is_enabled: true, workspace_slug: 'corner' } as identity.PublicPortalConfig,
        login_mode: 'link',
      }),
    },
    rewards: {
      ListRewards: async () => ({ rewards: [], total_count: 0 }),
      ListClientRewards: async () => ({ rewards: peers.rewards as rewards.ClientReward[] }),
      ListRedemptions: async () => ({
        redemptions: peers.redemptions as rewards.Redemption[],
        total_count: peers.redemptions.length,
      }),
    },
    outbox: createOutbox(connection),
    clock,
    logger: silentLogger,
    holder: newId(),
    walletsOffered: async () => ({ apple: true, google: true }),
    links: createPassLinks({ keys: [Buffer.alloc(32, 2)], publicUrl: 'http://localhost:8080' }),
    clients: clientsOf(peers),
    ledger: {
      ListWalletTypes: async () => ({ wallet_types: peers.walletTypes as ledger.WalletType[] }),
      GetBalances: async ({ client_id }) => ({
        wallets: peers.walletTypes.map((wallet_type) => ({
          wallet_type: wallet_type as ledger.WalletType,
          wallet: { active_balance: peers.balances.get(client_id) ?? 0 } as ledger.Wallet,
        })),
        inactive_codes: [],
      }),
    },
    referrals: {
      GetClientReferral: async () => ({ code: 'ABCD2345', program_enabled: true }),
      Attribute: async () => ({ outcome: 'invalid_code' }),
    },
    tiers: {
      GetTiers: async ({ ids }) => ({
        tiers: peers.tiers.filter((tier) => ids.includes(tier.id!)) as tiers.Tier[],
      }),
      ListTiers: async () => ({ tiers: peers.tiers as tiers.Tier[] }),
      GetClientTiers: async ({ client_ids }) => ({
        placements: client_ids.map((client_id) => ({
          client_id,
          tier_id: peers.tierOf.get(client_id) ?? null,
          manually_assigned: false,
        })),
      }),
    },
  };
}

/** The clients service, as far as passes ask it. */
function clientsOf(peers: ReturnType<typeof createPeers>): PassDeps['clients'] {
  return {
    GetClients: async ({ ids }) => ({
      clients: ids.flatMap((id) => (peers.clients.get(id) as clients.Client | undefined) ?? []),
    }),
    GetClientStanding: async () => ({ status: 'active', loyalty_program_enabled: true }),
    ListSuccessors: async ({ ids }) => ({
      successors: ids.flatMap((id) => {
        const current_id = peers.successors.get(id);
        return current_id === undefined ? [] : [{ id, current_id }];
      }),
    }),
    GetTransactionMetrics: async ({ client_ids }) => ({
      metrics: client_ids.map((client_id) => ({
        client_id,
        transaction_count: 2,
        total_spending: 12.5,
        last_transaction_at: null,
      })),
    }),
    PreviewSegment: async ({ filters }) => {
      const { custom_field_filters } = filters[0]!.filter_config as {
        custom_field_filters: Record<string, { value: unknown }>;
      };
      const asked = Object.entries(custom_field_filters);
      const sample = [...peers.clients].flatMap(([id, { custom_fields }]) =>
        asked.every(
          ([name, { value }]) =>
            (custom_fields as Record<string, unknown> | undefined)?.[name] === value,
        )
          ? [{ id } as clients.Client]
          : [],
      );
      return { total: sample.length, reachable: 0, consenting: 0, sample, filters: [] };
    },
    ListFields: async () => ({
      fields: peers.fields.map((field_name) => ({ field_name }) as clients.Field),
    }),
    RecordTrail: async ({ entries }) => {
      peers.trail.push(...entries);
      return {
        recorded: entries.length,
        stored_ids: entries.map((entry) => entry.id),
        refund_links: [],
      };
    },
  };
}

/** The forms of a workspace, which ask for `peers.fieldsAsked` and give nothing out. */
function formsOf(peers: ReturnType<typeof createPeers>): PassDeps['belongings'][number] {
  return {
    usersOfTemplate: async () => [],
    moveToTemplate: async () => undefined,
    removeOfProject: async () => [],
    fieldsAsked: async () => peers.fieldsAsked,
  };
}

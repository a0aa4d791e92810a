import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { platform } from '@laurel/errors';
import { type CloudEvent, createOutbox, inboxIndexes } from '@laurel/events';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type {
  automations as api,
  clients as clientsApi,
  identity as identityApi,
  integrations as integrationsApi,
  ledger as ledgerApi,
  passes as passesApi,
} from '@laurel/rpc';
import { silentLogger, type TestStore, testClock, testStore } from '@laurel/testing';
import { add, toDecimal, toUnits, ZERO } from '@laurel/values/amount';
import { collections } from '../collections';
import { createStores, type Deps } from '../deps';
import { Formulas } from '../domain/formula/formulas';
import { type Trigger, trigger } from '../domain/trigger';
import { createRule } from '../use-cases/create-rule';
import { fireRules, rulesAskingFor } from '../use-cases/fire-rules';
import { getRule } from '../use-cases/get-rule';
import { storedTriggers } from '../use-cases/triggers-of';
import { type BookedEntry, entriesOf, headsOf, WALLET_TYPES } from './book';
import { pageOfEvents, transactionMetrics } from './trail';

/** The other services, as far as rules ask them, with a ledger that keeps the promise of the real one: one operation, one entry. */
type Neighbours = Pick<
  Deps,
  'clients' | 'identity' | 'integrations' | 'ledger' | 'passes' | 'referrals' | 'rewards' | 'tiers'
>;

/** What an event tells that a test does not leave to chance. */
const NO_REFUND = { state: null, event_ids: [], names: [], paid: 0, shared: [], merging: [] };

type Told = Partial<clientsApi.Event> & Pick<clientsApi.Event, 'event_category' | 'event_type'>;

export class Harness {
  readonly workspaceId = newId();
  /** Entries by operation. */
  readonly entries = new Map<string, BookedEntry>();
  readonly people = new Map<string, clientsApi.Client>();
  /** What the clients service has on record. */
  readonly trail: clientsApi.Event[] = [];
  /** Whom merged clients became. */
  readonly successors = new Map<string, string>();
  /** Clients without a pass. */
  readonly passless = new Set<string>();
  /** Custom fields of the data model. */
  fieldNames: string[] = [];
  /** Of the workspace. */
  timeZone = 'UTC';
  /** Made to fail in place of answering. */
  ledgerFault: Error | null = null;
  readonly deps: Deps;

  private constructor(
    readonly store: TestStore,
    readonly clock = testClock(),
  ) {
    this.deps = this.depsOver(store.connection);
  }

  static async open(): Promise<Harness> {
    const all = [...collections, inboxIndexes];
    return new Harness(await testStore(all));
  }

  /** The same store and clock, in a workspace that nothing happened in. */
  inNewWorkspace(): Harness {
    return new Harness(this.store, this.clock);
  }

  close(): Promise<void> {
    return this.store.drop();
  }

  /** A second instance of the service: connections of its own to the same database. */
  async anotherInstance(): Promise<Deps> {
    return this.depsOver(await this.store.connectAgain());
  }

  newClient(fields: Partial<clientsApi.Client> = {}): string {
    const id = newId();
    const at = this.clock.now().toISOString();
    const client = {
      id,
      workspace_id: this.workspaceId,
      status: 'active',
      marketing_consent: false,
      custom_fields: {},
      loyalty_program_enabled: true,
      registration_date: at,
      date_created: at,
      ...fields,
    };
    this.people.set(id, client as clientsApi.Client);
    return id;
  }

  /** The clients service is done with a merge; others have not heard of it. */
  merge(source: string, target: string): void {
    this.people.delete(source);
    this.successors.set(source, target);
  }

  balanceOf(clientId: string): number {
    const own = [...this.entries.values()].filter((entry) => entry.clientId === clientId);
    return toDecimal(add(ZERO, ...own.map(({ amount }) => toUnits(amount))));
  }

  newRule(fields: Partial<api.RuleFields> = {}, deps: Deps = this.deps): Promise<api.Rule> {
    const effects = [
      { type: 'earn_points', wallet_type_code: 'points', amount_type: 'fixed', amount: 5 },
    ];
    return createRule(deps, {
      workspace_id: this.workspaceId,
      fields: { name: 'Rule', trigger_type: 'custom_event', effects, ...fields },
    });
  }

  readRule(id: string): Promise<api.Rule> {
    return getRule(this.deps, { workspace_id: this.workspaceId, id });
  }

  happening(clientId: string, known: Partial<Trigger> = {}): Trigger {
    return trigger({
      type: 'custom_event',
      eventId: newId(),
      eventType: 'quiz',
      eventCategory: 'custom',
      clientId,
      at: this.clock.now(),
      ...known,
    });
  }

  /** The clients service records an event, and tells of it as it does. */
  record(clientId: string, told: Told): Trigger {
    const event = {
      id: newId(),
      workspace_id: this.workspaceId,
      client_id: clientId,
      event_timestamp: this.clock.now().toISOString(),
      amount: null,
      metadata: {},
      ...told,
    } as clientsApi.Event;
    this.trail.push(event);
    const isTransaction = event.event_category === 'transaction';
    const type = isTransaction ? 'transaction' : 'custom_event';
    const [happened] = storedTriggers(type, event);
    return happened!;
  }

  /** An event comes in, at this replica or another; `chain` are the rules that led to it. */
  fire(happened: Trigger, deps: Deps = this.deps, chain: readonly string[] = []): Promise<void> {
    const context = systemContext({
      workspaceId: this.workspaceId,
      chain,
      depth: chain.length,
    });
    return runInContext(context, async () => {
      const active = await deps.rules.listActive(this.workspaceId, happened.type);
      await fireRules(deps, { happened, rules: rulesAskingFor(active, happened) });
    });
  }

  async executions(filter: { clientId?: string; ruleId?: string } = {}) {
    const page = { limit: 1_000, offset: 0 };
    return (await this.deps.executions.list(this.workspaceId, filter, page)).executions;
  }

  async events(type: string): Promise<CloudEvent[]> {
    const rows = this.store.connection.collection<{ _id: string; event: CloudEvent }>('outbox');
    return (await rows.find({ 'event.type': type }).toArray()).map(({ event }) => event);
  }

  depsOver(connection: TestStore['connection'], neighbours: Neighbours = this.neighbours()): Deps {
    return {
      ...createStores(connection),
      ...neighbours,
      outbox: createOutbox(connection),
      clock: this.clock,
      logger: silentLogger,
      formulas: new Formulas(),
      segments: { unknownAmong: async () => [], containing: async () => [] },
      templates: { unknownAmong: async () => [] },
    };
  }

  neighbours(): Neighbours {
    const nothing = async () => ({}) as never;
    return {
      clients: {
        GetClients: async ({ ids }) => ({
          clients: ids.flatMap((id) => this.people.get(id) ?? []),
        }),
        ListSuccessors: async ({ ids }) => ({
          successors: ids.flatMap((id) => {
            const current_id = this.successors.get(id);
            return current_id === undefined ? [] : [{ id, current_id }];
          }),
        }),
        ListClients: async ({ limit, cursor }) => this.pageOfClients(limit, cursor),
        ListFields: async () => ({
          fields: this.fieldNames.map(
            (field_name) => ({ field_name, is_system: false }) as clientsApi.Field,
          ),
        }),
        GetTransactionMetrics: async (request) => transactionMetrics(this.trail, request),
        ListEvents: async (request) => pageOfEvents(this.trail, request),
        QuoteRefundLink: async () => NO_REFUND,
        QuoteUpdate: async () => ({ changes: [] }),
        UpdateClient: nothing,
      },
      identity: {
        GetWorkspace: async ({ workspace_id: id }) =>
          ({ id, timezone: this.timeZone }) as identityApi.Workspace,
      },
      integrations: { GetWebhook: async () => ({ active: true }) as integrationsApi.Webhook },
      ledger: {
        QuoteRefund: async () => ({ taken: [] }),
        EarnPoints: (request) => this.post(request, 1),
        SpendPoints: (request) => this.post(request, -1),
        GetBalances: async ({ client_id }) => this.wallets(client_id),
        GetWallets: async ({ client_id }) => this.wallets(client_id),
        ListWalletTypes: async () => ({ wallet_types: WALLET_TYPES }),
        ListWalletHeads: async ({ client_ids }) => ({
          heads: client_ids.flatMap((id) => headsOf(this.entries, id, this.successors)),
        }),
        ListEntries: async (request) => entriesOf(this.entries, request, this.successors),
      },
      passes: {
        ListPassesOfClients: async ({ client_ids }) => ({
          passes: client_ids
            .filter((id) => !this.passless.has(id))
            .map((client_id) => ({ client_id }) as passesApi.Pass),
        }),
      },
      referrals: {
        CountCompleted: async () => ({ counts: [] }),
        QuoteCompletion: async () => ({}),
      },
      rewards: {
        GetRewards: async () => ({ rewards: [] }),
        GiveReward: nothing,
        QuoteGift: async () => ({ points_cost: 0, reward_name: 'Cup' }),
      },
      tiers: {
        AssignTier: nothing,
        ForetellMoves: async () => ({ moves: [] }),
        QuoteAssignment: nothing,
        UnassignTier: nothing,
        GetTiers: async () => ({ tiers: [] }),
        ListTiers: async () => ({ tiers: [] }),
        GetClientTiers: async () => ({ placements: [] }),
      },
    };
  }

  private async post(
    request: ledgerApi.EarnRequest | ledgerApi.SpendRequest,
    sign: 1 | -1,
  ): Promise<ledgerApi.EntryReply> {
    await yieldToOthers();
    if (this.ledgerFault) throw this.ledgerFault;
    const { operation_id: operation = '', client_id: clientId, description, metadata } = request;
    const at = this.clock.now().toISOString();
    const amount = sign * request.amount;
    const known = this.entries.get(operation);
    const isPossible = this.balanceOf(clientId) + amount >= 0 && !this.successors.has(clientId);
    if (!known && !isPossible) throw platform.invalidPayload();
    const { wallet_type_code: walletTypeCode } = request;
    const entry = { clientId, walletTypeCode, amount, at, description, metadata };
    this.entries.set(operation, known ?? entry);
    return { entry: { id: operation, amount } as ledgerApi.Entry, replayed: known !== undefined };
  }

  private wallets(clientId: string): ledgerApi.Wallets {
    const figures = { pending_balance: 0, locked_balance: 0, total_spent: 0, total_expired: 0 };
    const heads = headsOf(this.entries, clientId, this.successors);
    const wallets = heads.map(({ active_balance, total_earned, wallet_type_code: code }) => {
      const wallet = { ...figures, active_balance, total_earned } as ledgerApi.Wallet;
      return { wallet, wallet_type: { code } as ledgerApi.WalletType };
    });
    return { wallets, inactive_codes: ['old'] };
  }

  private pageOfClients(limit: number, cursor = '0'): clientsApi.ClientPage {
    const all = [...this.people.values()];
    const from = Number(cursor);
    const next = from + limit < all.length ? String(from + limit) : null;
    return { clients: all.slice(from, from + limit), total: all.length, next_cursor: next };
  }
}

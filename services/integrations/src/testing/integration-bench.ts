import { randomBytes } from 'node:crypto';
import { Refusal } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import { createVault } from '@laurel/secrets';
import { silentLogger, type TestStore, testClock, testStore } from '@laurel/testing';
import { PIECE_LEASE_MS, type Room } from '@laurel/work';
import { collections } from '../collections';
import { createIntegrationStores, type IntegrationDeps } from '../deps';
import type { RestAnswer, RestCall } from '../outside/rest';
import { workImport } from '../use-cases/import/work-import';
import { processInboxMessage } from '../use-cases/inbox/process-inbox-message';
import { receiveInboxMessage } from '../use-cases/inbox/receive-inbox-message';
import { putIntegration } from '../use-cases/integration/put-integration';
import { backfillOutbound } from '../use-cases/outbound/backfill-outbound';
import { retryRefused } from '../use-cases/outbound/retry-refused';
import { tellCustomer } from '../use-cases/outbound/tell-customer';

export const secretsKey = randomBytes(32).toString('base64');
const ROOM_FOR_ONE: Room = { count: 1, share: 1, inHand: new Map() };
export const MAPPING = {
  event_category: '"transaction"',
  event_type: '"purchase"',
  email: 'body.email',
  amount: 'body.total',
  external_id: 'body.id',
};
const taken: RestAnswer = { status: 200, error: null, retryAfterMs: null };

export const failing = (status: number): RestAnswer => ({
  status,
  error: `answered ${status}`,
  retryAfterMs: null,
});

/** The clients service, as far as integrations need it. */
class ClientsDouble {
  readonly people = new Map<string, api.Client>();
  readonly identities = new Map<string, string>();
  readonly trail = new Map<string, api.TrailEntry>();
  recorded = 0;
  /** Who was merged -> whom they became. */
  readonly successors = new Map<string, string>();
  /** What the trail makes of refunds, by what they say their sale was called. */
  readonly links = new Map<string, string>();
  away = false;

  add(over: Partial<api.Client> = {}): api.Client {
    const id = newId();
    const client = { id, email: `${id}@mail.example`, status: 'active', ...over } as api.Client;
    this.people.set(id, client);
    return client;
  }

  /** Nothing here knows the ids of who was erased. */
  erase(id: string): void {
    this.people.set(id, { ...this.people.get(id)!, status: 'anonymized', email: null });
    this.identities.delete(id);
  }

  async GetClients({ ids }: api.ClientIds): Promise<api.ClientList> {
    this.requireThere();
    return { clients: ids.flatMap((id) => this.people.get(id) ?? []) };
  }

  async ListSuccessors({ ids }: api.ClientIds): Promise<api.Successors> {
    this.requireThere();
    return {
      successors: ids.flatMap((id) => {
        const current_id = this.successors.get(id);
        return current_id === undefined ? [] : [{ id, current_id }];
      }),
    };
  }

  async ListClients({ workspace_id, limit, cursor }: api.ListClientsRequest) {
    this.requireThere();
    const ids = [...this.people.keys()].sort().filter((id) => id > (cursor ?? ''));
    const page = ids.slice(0, limit);
    const next = ids.length > limit ? page.at(-1)! : null;
    const clients = page.map((id) => ({ ...this.people.get(id)!, workspace_id }));
    return { clients, total: ids.length, next_cursor: next };
  }

  async FindClientBy({ email, provider, external_id }: api.FindClientByRequest) {
    this.requireThere();
    const id = [...this.identities].find(
      ([, known]) => known === `${provider}:${external_id}`,
    )?.[0];
    const client =
      email === undefined
        ? this.people.get(id ?? '')
        : [...this.people.values()].find((each) => each.email === email);
    return client ? { client } : {};
  }

  async ListExternalIdentities({
    client_id,
  }: api.ClientRequest): Promise<api.ExternalIdentityList> {
    const [provider = '', external_id = ''] = this.identities.get(client_id)?.split(':') ?? [];
    return { identities: provider ? [{ provider, external_id, date_created: '' }] : [] };
  }

  async PutExternalIdentity({ client_id, provider, external_id }: api.PutExternalIdentityRequest) {
    const client = this.people.get(client_id);
    if (!client) throw new Refusal({ code: 'RECORD_NOT_FOUND', httpStatus: 404 }, []);
    if (client.status === 'anonymized')
      throw new Refusal({ code: 'CONFLICT', httpStatus: 409 }, [{ message: 'anonymized' }]);
    this.identities.set(client_id, `${provider}:${external_id}`);
    return { provider, external_id, date_created: '' };
  }

  async RecordTrail({ entries }: api.RecordTrailRequest): Promise<api.RecordedTrail> {
    this.requireThere();
    const stored: string[] = [];
    for (const entry of entries) {
      const isKnown = [...this.trail.values()].some(
        ({ external_id }) => external_id !== undefined && external_id === entry.external_id,
      );
      if (!this.trail.has(entry.id) && isKnown) continue;
      if (!this.trail.has(entry.id)) this.recorded += 1;
      this.trail.set(entry.id, entry);
      stored.push(entry.id);
    }
    const refund_links = entries.flatMap(({ id, original_external_id: named }) =>
      named === undefined ? [] : [{ id, state: this.linkOf(named) }],
    );
    return { recorded: stored.length, stored_ids: stored, refund_links };
  }

  async QuoteRefundLink({
    original_external_id: named,
  }: api.QuoteRefundLinkRequest): Promise<api.QuotedRefundLink> {
    this.requireThere();
    const state = named === undefined ? null : this.linkOf(named);
    return { state, event_ids: [], names: [], paid: 0, shared: [], merging: [] };
  }

  private linkOf(named: string): string {
    const isThere = [...this.trail.values()].some(({ external_id }) => external_id === named);
    return this.links.get(named) ?? (isThere ? 'linked' : 'not_found');
  }

  private requireThere(): void {
    if (this.away)
      throw new Refusal({ code: 'SERVICE_UNAVAILABLE', httpStatus: 503 }, [{ message: 'away' }]);
  }
}

/** Integrations on a store of the test's own, worked off by hand, with doubles of everybody else. */
export class IntegrationBench {
  readonly clock = testClock();
  readonly clients = new ClientsDouble();
  readonly calls: RestCall[] = [];
  tierId: string | null = null;
  respond: (call: RestCall) => RestAnswer | Promise<RestAnswer> = () => taken;
  readonly deps: IntegrationDeps;

  private constructor(
    readonly store: TestStore,
    readonly workspaceId: string,
  ) {
    this.deps = this.depsOn(store.connection);
  }

  static async open(): Promise<IntegrationBench> {
    return new IntegrationBench(await testStore(collections), newId());
  }

  /** The same world, in a workspace that nothing happened in. */
  inNewWorkspace(): IntegrationBench {
    return new IntegrationBench(this.store, newId());
  }

  /** The parts of one process, which may be one that dies. */
  depsOn(connection: Connection, peer = <T extends object>(real: T): T => real): IntegrationDeps {
    const nothing = () => undefined;
    const rest = peer({
      call: async (call: RestCall) => {
        this.calls.push(call);
        return this.respond(call);
      },
    });
    return {
      ...createIntegrationStores(connection),
      vault: createVault(secretsKey),
      restOf: () => (call) => rest.call(call),
      logger: silentLogger,
      clock: this.clock,
      clients: peer(this.clients),
      passes: {
        FindPassByBarcode: () =>
          Promise.reject(new Refusal({ code: 'RECORD_NOT_FOUND', httpStatus: 404 }, [])),
      },
      tiers: {
        GetClientTiers: async ({ client_ids }) => ({
          placements: client_ids.map((client_id) => ({
            client_id,
            tier_id: this.tierId,
            manually_assigned: false,
          })),
        }),
      },
      identity: { GetSettings: async () => ({ default_currency: 'CHF' }) as never },
      soon: { inbox: nothing, outbound: nothing, imports: nothing },
      settings: { allowInsecure: true, publicUrl: 'https://loyalty.example', messageDays: 30 },
    };
  }

  put(provider: string, body: object = {}) {
    return putIntegration(this.deps, { workspace_id: this.workspaceId, provider, ...body });
  }

  /** An inbox with a mapping, and how to post to it. */
  async openInbox(): Promise<(body: unknown) => ReturnType<typeof receiveInboxMessage>> {
    const { data, token } = await this.put('webhook_inbox', {
      enabled_inbound: true,
      config: { mapping: MAPPING },
    });
    return (body) => this.post(data!.inbox_id!, token!, body);
  }

  post(inboxId: string, token: string, body: unknown) {
    const bytes = Buffer.from(JSON.stringify(body));
    return receiveInboxMessage(this.deps, { inbox_id: inboxId, token, body: bytes, headers: {} });
  }

  async claimMessages(leaseMs: number, deps = this.deps) {
    const claim = { now: this.clock.now(), leaseMs };
    return (await deps.messages.due.claim(ROOM_FOR_ONE, claim)).map(({ row }) => row);
  }

  /** Works on one message that is due; false when there is none. */
  async workMessage(deps = this.deps): Promise<boolean> {
    const [message] = await this.claimMessages(PIECE_LEASE_MS, deps);
    if (message) await processInboxMessage(deps, message);
    return message !== undefined;
  }

  async workOutbound(deps = this.deps): Promise<boolean> {
    const claim = { now: this.clock.now(), leaseMs: PIECE_LEASE_MS };
    const [claimed] = await deps.outboundJobs.due.claim(ROOM_FOR_ONE, claim);
    if (claimed) await tellCustomer(deps, claimed.row);
    return claimed !== undefined;
  }

  async workBackfill(deps = this.deps): Promise<boolean> {
    const claim = { now: this.clock.now(), leaseMs: PIECE_LEASE_MS };
    const [claimed] = await deps.backfills.due.claim(ROOM_FOR_ONE, claim);
    if (claimed) await backfillOutbound(deps, claimed.row);
    return claimed !== undefined;
  }

  async workRetry(deps = this.deps): Promise<boolean> {
    const claim = { now: this.clock.now(), leaseMs: PIECE_LEASE_MS };
    const [claimed] = await deps.outboundRetries.due.claim(ROOM_FOR_ONE, claim);
    if (claimed) await retryRefused(deps, claimed.row);
    return claimed !== undefined;
  }

  async workImport(deps = this.deps): Promise<boolean> {
    const claim = { now: this.clock.now(), leaseMs: PIECE_LEASE_MS };
    const [claimed] = await deps.importJobs.due.claim(ROOM_FOR_ONE, claim);
    if (claimed) await workImport(deps, claimed.row);
    return claimed !== undefined;
  }

  /** Whatever a dead process had in its hands is free again. */
  async outlastLeases(): Promise<void> {
    this.clock.advanceMs(PIECE_LEASE_MS + 1);
  }
}

import { randomInt } from 'node:crypto';
import { platform } from '@laurel/errors';
import { type CloudEvent, createOutbox, inboxIndexes } from '@laurel/events';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { rewards as api } from '@laurel/rpc';
import {
  nothingReferenced,
  silentLogger,
  type TestStore,
  testClock,
  testStore,
} from '@laurel/testing';
import { collections } from '../collections';
import { createStores, type Deps, type Ledger } from '../deps';
import { createReward } from '../use-cases/create-reward';
import { redeemReward } from '../use-cases/redeem-reward';
import { FakeLedger } from './fake-ledger';

export const ABANDONED_MS = 20_000;
export const REMEMBERED_MS = 600_000;

/** The rewards service without its neighbours: the real store, a ledger in memory, clients by decree. */
export class Harness {
  readonly workspaceId = newId();
  readonly ledger = new FakeLedger();
  readonly clock = testClock();
  readonly tierOf = new Map<string, string>();
  readonly members = new Set<string>();
  readonly inactive = new Set<string>();
  readonly knownTiers = new Set<string>();
  readonly knownSegments = new Set<string>();
  readonly segmentMembers = new Set<string>();
  readonly deps: Deps;

  private constructor(readonly store: TestStore) {
    this.deps = this.depsOver(store.connection);
  }

  static async open(): Promise<Harness> {
    const all = [...collections, inboxIndexes];
    return new Harness(await testStore(all));
  }

  close(): Promise<void> {
    return this.store.drop();
  }

  /** A second instance of the service: connections of its own to the same database. */
  async anotherInstance(): Promise<Deps> {
    return this.depsOver(await this.store.connectAgain());
  }

  /** A client of the workspace, with points. */
  newClient(points = 0): string {
    const id = newId();
    this.members.add(id);
    this.ledger.fund(id, points);
    return id;
  }

  newReward(fields: Partial<api.CreateRewardRequest> = {}): Promise<api.Reward> {
    return createReward(this.deps, {
      workspace_id: this.workspaceId,
      name: 'Free coffee',
      cost_in_points: 10,
      wallet_type_id: this.ledger.walletTypeId,
      ...fields,
    });
  }

  /** One caller's wish: a context, and with it an operation, of its own. */
  redeem(
    rewardId: string,
    clientId: string,
    { deps = this.deps, ...more }: Partial<api.RedeemRewardRequest> & { deps?: Deps } = {},
  ): Promise<api.Redeemed> {
    const request = {
      workspace_id: this.workspaceId,
      reward_id: rewardId,
      client_id: clientId,
      ...more,
    };
    return this.asCaller(() => redeemReward(deps, request));
  }

  asCaller<T>(work: () => Promise<T>, operationId: string = newId()): Promise<T> {
    return runInContext(systemContext({ workspaceId: this.workspaceId, operationId }), work);
  }

  rows<T extends object>(collection: string): Promise<T[]> {
    return this.store.connection.collection<T>(collection).find({}).toArray() as Promise<T[]>;
  }

  async events(type: string): Promise<CloudEvent[]> {
    const rows = await this.rows<{ event: CloudEvent }>('outbox');
    return rows.map(({ event }) => event).filter((event) => event.type === type);
  }

  /** Another process of the service, as it sees store and ledger. */
  depsOver(connection: TestStore['connection'], ledger: Ledger = this.ledger): Deps {
    return {
      ...createStores(connection),
      outbox: createOutbox(connection),
      clock: this.clock,
      logger: silentLogger,
      ledger,
      clients: {
        GetClientStanding: async ({ client_id }) => {
          if (!this.members.has(client_id)) throw platform.recordNotFound();
          const status = this.inactive.has(client_id) ? 'inactive' : 'active';
          return { status, loyalty_program_enabled: true };
        },
        GetClients: async ({ ids }) => ({
          clients: ids.filter((id) => this.members.has(id)).map((id) => ({ id }) as never),
        }),
      },
      tiers: {
        unknownAmong: async (_workspaceId, ids) => ids.filter((id) => !this.knownTiers.has(id)),
        tierOf: async (_workspaceId, clientId) => this.tierOf.get(clientId) ?? null,
      },
      segments: {
        unknownAmong: async (_workspaceId, ids) => ids.filter((id) => !this.knownSegments.has(id)),
        containing: async (_workspaceId, ids, { id }) =>
          this.segmentMembers.has(id) ? [...ids] : [],
      },
      references: nothingReferenced,
      pickNumber: (bound) => randomInt(bound),
      abandonedMs: ABANDONED_MS,
      rememberedMs: REMEMBERED_MS,
    };
  }
}

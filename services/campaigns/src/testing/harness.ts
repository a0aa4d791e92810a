import type { JsonObject } from '@laurel/errors';
import { type CloudEvent, createOutbox, inboxIndexes } from '@laurel/events';
import { newId, runInContext, systemContext } from '@laurel/lifecycle';
import type { campaigns as api, clients as clientsApi } from '@laurel/rpc';
import { silentLogger, type TestStore, testClock, testStore, workOff } from '@laurel/testing';
import { collections } from '../collections';
import { createStores, type Deps } from '../deps';
import type { Member } from '../domain/audience';
import { createKeptResponses } from '../outside/kept-responses';
import { createAction } from '../use-cases/create-action';
import { createCampaign } from '../use-cases/create-campaign';
import { getStatistics } from '../use-cases/get-statistics';
import { partWorker } from '../use-cases/serve-part';
import { workCampaign } from '../use-cases/work-campaigns';
import { FakePeers } from './fake-peers';

type Peers = Pick<Deps, 'clients' | 'passes' | 'rewards' | 'tiers'>;

/** The campaigns service on the real store, among neighbours in memory. */
export class Harness {
  readonly workspaceId = newId();
  readonly clock = testClock();
  readonly peers = new FakePeers();
  readonly deps: Deps;

  private constructor(
    readonly store: TestStore,
    private readonly membersPerPart: number,
  ) {
    this.deps = this.depsOver(store.connection);
  }

  static async open({ membersPerPart = 500 } = {}): Promise<Harness> {
    const all = [...collections, inboxIndexes];
    return new Harness(await testStore(all), membersPerPart);
  }

  close(): Promise<void> {
    return this.store.drop();
  }

  /** Another replica: the same database by connections of its own. */
  async anotherInstance(): Promise<Deps> {
    return this.depsOver(await this.store.connectAgain());
  }

  depsOver(connection: TestStore['connection'], peers: Peers = this.peers.asPeers()): Deps {
    return {
      ...createStores(connection),
      ...peers,
      outbox: createOutbox(connection),
      clock: this.clock,
      pause: async () => undefined,
      logger: silentLogger,
      membersPerSecond: 1_000_000,
      membersPerPart: this.membersPerPart,
      responses: createKeptResponses(Date.now, 30_000),
    };
  }

  newClient(fields: Partial<clientsApi.Client> = {}, passes = 0): string {
    const id = newId();
    const consent = { status: 'active', marketing_consent: true };
    this.peers.people.set(id, { id, ...consent, ...fields } as clientsApi.Client);
    if (passes > 0) this.peers.passesOf.set(id, Array.from({ length: passes }, newId));
    return id;
  }

  newClients(count: number, passes = 0): string[] {
    return Array.from({ length: count }, () => this.newClient({}, passes));
  }

  newReward(): string {
    const id = newId();
    this.peers.rewards.add(id);
    return id;
  }

  newTier(kind = 'exclusive'): string {
    const id = newId();
    this.peers.tiers.set(id, kind);
    return id;
  }

  /** A draft with its actions: `[action_type, action_config]` each. */
  async newCampaign(
    audience: Partial<api.CreateCampaignRequest>,
    ...actions: [type: string, config: JsonObject][]
  ): Promise<{ id: string; actionIds: string[] }> {
    const { workspaceId: workspace_id } = this;
    const { id } = await createCampaign(this.deps, { workspace_id, name: 'Spring', ...audience });
    const actionIds: string[] = [];
    for (const [action_type, action_config] of actions) {
      const request = { workspace_id, campaign_id: id, action_type, action_config };
      actionIds.push((await createAction(this.deps, request)).id);
    }
    return { id, actionIds };
  }

  giving(): [string, JsonObject] {
    return ['give_reward', { reward_ids: [this.newReward()] }];
  }

  pushing(): [string, JsonObject] {
    return ['push_notification', { notification_message: 'Hello' }];
  }

  row(id: string): { workspace_id: string; id: string } {
    return { workspace_id: this.workspaceId, id };
  }

  /** Works until there is nothing left to do for this campaign; the clock goes on where it has to wait. */
  async workOut(id: string, deps: Deps = this.deps): Promise<void> {
    for (;;) {
      const campaign = await deps.campaigns.findHead(this.workspaceId, id);
      if (!campaign?.workDueAt) return;
      const isWorked = await workCampaign(deps, id);
      if ((await workOff(partWorker(deps))) === 0 && !isWorked) this.clock.set(campaign.workDueAt);
    }
  }

  asCaller<T>(work: () => Promise<T>, operationId: string = newId()): Promise<T> {
    const context = { workspaceId: this.workspaceId, operationId, operationKept: true };
    return runInContext(systemContext(context), work);
  }

  statistics(id: string): Promise<api.Statistics> {
    return getStatistics(this.deps, this.row(id));
  }

  members(id: string): Promise<Member[]> {
    return this.deps.audience.range(this.workspaceId, id, { after: 0, count: 10_000 });
  }

  async events(type: string, campaignId: string): Promise<CloudEvent[]> {
    const rows = this.store.connection.collection<{ _id: string; event: CloudEvent }>('outbox');
    const found = rows.find({ 'event.type': type, 'event.subject': campaignId });
    return (await found.toArray()).map(({ event }) => event);
  }
}

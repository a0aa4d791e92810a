import { platform } from '@laurel/errors';
import { type CloudEvent, createOutbox, inboxIndexes, type OnceForBatch } from '@laurel/events';
import { newId } from '@laurel/lifecycle';
import { type Connection, unitOfWork } from '@laurel/mongo';
import type { tiers as api } from '@laurel/rpc';
import { nothingReferenced, silentLogger, testClock, testStore } from '@laurel/testing';
import { PIECE_LEASE_MS } from '@laurel/work';
import { collections } from '../collections';
import { createStores, type Deps } from '../deps';
import { createTier } from '../use-cases/create-tier';
import { createTierSet } from '../use-cases/create-tier-set';
import { followMembers } from '../use-cases/follow-members';
import { type Pace, runResync } from '../use-cases/run-resync';
import { createMadeEvents, snapshotOf, type World } from './made-events';

export type Harness = Awaited<ReturnType<typeof createHarness>>;

/** Runs jobs as fast as they can. */
export const FAST = { perSecond: 1_000_000, isStopping: () => false };

/** The use cases on a database of the test's own. Clients exist as soon as a test introduces them. */
export async function createHarness() {
  const store = await testStore([...collections, inboxIndexes]);
  const world: World = { clock: testClock(), workspaceId: newId(), standings: new Map() };
  const { clock, workspaceId, standings } = world;
  const deps: Deps = {
    ...createStores(store.connection),
    outbox: createOutbox(store.connection),
    clock,
    logger: silentLogger,
    ...neighboursIn(world),
  };
  /** Works off every resync job. */
  const resync = async (): Promise<void> => {
    while ((await workOnResync(deps, FAST)).more);
  };

  return {
    deps,
    clock,
    workspaceId,
    standings,
    drop: () => store.drop(),

    /** Hands events to the consumer in one delivery. */
    take: (...events: CloudEvent[]) =>
      followMembers(deps, onceFor(store.connection, events) as Parameters<typeof followMembers>[1]),

    made: createMadeEvents(world),

    async levels(set: Partial<api.CreateTierSetRequest> = {}) {
      const tiers = await createLevels(deps, workspaceId, set);
      await resync();
      return tiers;
    },

    resync,

    member: (id: string) => deps.members.find(workspaceId, id),

    /** Everything sent to other services so far, oldest first; with `prefix`, only that. */
    async told(prefix = 'tiers.tier_'): Promise<CloudEvent[]> {
      const rows = await store.connection
        .collection<{ _id: string; event: CloudEvent }>('outbox')
        .find({})
        .sort({ _id: 1 })
        .toArray();
      return rows.map((row) => row.event).filter((one) => one.type.startsWith(prefix));
    },
  };
}

/** Other services, which know the clients that were introduced and nothing else. */
function neighboursIn(
  world: World,
): Pick<Deps, 'clients' | 'passTemplates' | 'ledger' | 'references'> {
  const { standings } = world;
  return {
    clients: {
      GetClientStanding: async ({ client_id }) => {
        const standing = standings.get(client_id);
        if (!standing) throw platform.recordNotFound();
        return standing;
      },
      GetClients: async ({ ids }) => {
        const known = ids.filter((id) => standings.has(id));
        const counts = known.flatMap((id) => standings.get(id)?.revision ?? []);
        return {
          clients: known.map((id) => snapshotOf(world, id)),
          ...(counts.length === known.length ? { revisions: { of_clients: counts } } : {}),
        };
      },
    },
    passTemplates: { GetTemplates: async () => ({ templates: [] }) },
    ledger: { ListWalletTypes: async () => ({ wallet_types: [] }) },
    references: nothingReferenced,
  };
}

/** As the consumer does: events handled before are left out, in the transaction of the effect. */
function onceFor(connection: Connection, events: readonly CloudEvent[]): OnceForBatch {
  return (effect) =>
    unitOfWork(connection, async (session) => {
      const inbox = connection.collection<{ _id: string; handled_at: Date }>('inbox');
      const known = await inbox
        .find({ _id: { $in: events.map(({ id }) => id) } }, { session })
        .toArray();
      const handled = new Set(known.map(({ _id }) => _id));
      const fresh = [...new Map(events.map((one) => [one.id, one])).values()].filter(
        ({ id }) => !handled.has(id),
      );
      if (fresh.length === 0) return;
      await inbox.insertMany(
        fresh.map(({ id }) => ({ _id: id, handled_at: new Date() })),
        { session },
      );
      await effect(session, fresh);
    });
}

/** A set that is climbed by points earned, with an exclusive tier above. */
async function createLevels(
  deps: Deps,
  workspaceId: string,
  set: Partial<api.CreateTierSetRequest>,
) {
  await createTierSet(deps, {
    workspace_id: workspaceId,
    name: 'Levels',
    conditions: { items: [{ type: 'total_earned' }] },
    ...set,
  });
  const tier = (name: string, sort_order: number, fields: Partial<api.CreateTierRequest> = {}) =>
    createTier(deps, { workspace_id: workspaceId, name, sort_order, ...fields });
  return {
    bronze: await tier('Bronze', 0),
    silver: await tier('Silver', 1, { condition_values: { total_earned: 100 } }),
    gold: await tier('Gold', 2, { condition_values: { total_earned: 500 } }),
    vip: await tier('VIP', 3, { kind: 'exclusive' }),
  };
}

/** Takes up one resync job that is due, and works on it; says whether there was one. */
export async function workOnResync(deps: Deps, pace: Pace): Promise<{ more: boolean }> {
  const room = { count: 1, share: 1, inHand: new Map() };
  const [claimed] = await deps.resyncJobs.due.claim(room, {
    now: deps.clock.now(),
    leaseMs: PIECE_LEASE_MS,
  });
  if (claimed) await runResync(deps, { job: claimed.row, lease: claimed.lease }, pace);
  return { more: claimed !== undefined };
}

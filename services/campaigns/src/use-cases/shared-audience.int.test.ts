import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { atEveryCall, mortal, silentLogger, until, workOff } from '@laurel/testing';
import { startWork } from '@laurel/work';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { cancelCampaign } from './cancel-campaign';
import { deleteCampaign } from './delete-campaign';
import { launchCampaign } from './launch-campaign';
import { partWorker } from './serve-part';
import { campaignWorker, workCampaign } from './work-campaigns';
import { CLAIM_MS } from './work-times';

/** Members of a part: audiences of more are shared. */
const PART = 10;

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open({ membersPerPart: PART });
});
afterEach(() => harness.close());

const sorted = (ids: readonly string[]) => [...ids].sort();
const updating = (): [string, { custom_field_updates: { wave: number } }] => [
  'custom_field_update',
  { custom_field_updates: { wave: 1 } },
];
const partsLeft = () => harness.store.connection.collection('action_parts').countDocuments();

/** A launched campaign of so many clients, whose audience is fixed and whose first parts are handed out. */
async function handedOut(parts: number, ...actions: Parameters<Harness['newCampaign']>[1][]) {
  const clients = harness.newClients(parts * PART);
  const segment_id = newId();
  harness.peers.segments.set(segment_id, clients);
  const deeds = actions.length === 0 ? [updating()] : actions;
  const { id } = await harness.newCampaign({ segment_id }, ...deeds);
  await launchCampaign(harness.deps, harness.row(id));
  await workCampaign(harness.deps, id);
  return { id, clients };
}

function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** One of several instances of the service: it notes whom it is at, and waits there. One that is still renews no claim. */
async function replica(waitFor: Promise<void>) {
  const state = { isStill: false };
  const served: string[] = [];
  const peers = harness.peers.asPeers();
  const { UpdateCustomFields } = peers.clients;
  const clients: Deps['clients'] = {
    ...peers.clients,
    UpdateCustomFields: async (request) => {
      served.push(...request.changes.map(({ client_id }) => client_id));
      await waitFor;
      return UpdateCustomFields(request);
    },
  };
  const { connection } = await harness.anotherInstance();
  const deps = harness.depsOver(connection, { ...peers, clients });
  const parts = partWorker(deps);
  const renew: typeof parts.due.renew = async (...claim) =>
    state.isStill || parts.due.renew(...claim);
  const start = () =>
    startWork({
      service: 'test',
      jobs: [campaignWorker(deps), { ...parts, due: { ...parts.due, renew } }],
      connection,
      logger: silentLogger,
      sweepMs: 300,
    });
  return { served, start, state };
}

test('three replicas share an audience part by part; each member is reached once, and the part of one that stands still is taken over', async () => {
  const { id, clients } = await handedOut(12);
  const [allAtIt, stuck] = [gate(), gate()];
  const first = await replica(allAtIt.opened);
  const second = await replica(allAtIt.opened);
  const third = await replica(stuck.opened);
  const working = [first, second, third].map(({ start }) => start());
  await until(() => [first, second, third].every(({ served }) => served.length > 0));
  allAtIt.open();
  // What is handed out next is looked for by the clock.
  await until(async () => {
    harness.clock.advanceMs(300);
    return first.served.length + second.served.length === clients.length - PART;
  });
  await until(async () => (await partsLeft()) === 1);
  expect(third.served).toHaveLength(PART);

  third.state.isStill = true;
  harness.clock.advanceMs(CLAIM_MS);
  await until(() => first.served.length + second.served.length === clients.length);
  await until(async () => {
    harness.clock.advanceMs(300);
    return (await harness.deps.campaigns.find(harness.workspaceId, id))?.status === 'completed';
  });
  expect(sorted([...first.served, ...second.served])).toEqual(sorted(clients));
  stuck.open();
  await Promise.all(working.map((one) => one.stop()));
  expect(sorted(harness.peers.done('update'))).toEqual(sorted(clients));
  expect(await harness.statistics(id)).toMatchObject({
    audience_completed: clients.length,
    audience_processing: 0,
    actions_completed: 1,
  });
  expect(await harness.events('campaigns.completed', id)).toHaveLength(1);
});

test('an action begins when the one before it has come to everybody, whichever replica is at the last of them', async () => {
  const { id, clients } = await handedOut(2, updating(), harness.giving());
  const stuck = gate();
  const late = await replica(stuck.opened);
  const working = late.start();
  await until(() => late.served.length > 0);
  await workOff(partWorker(harness.deps));
  for (let look = 0; look < 3; look += 1) {
    harness.clock.advanceMs(1_000);
    await workCampaign(harness.deps, id);
    await workOff(partWorker(harness.deps));
  }
  expect(harness.peers.done('update')).toHaveLength(PART);
  expect(harness.peers.done('give')).toEqual([]);
  stuck.open();
  await working.stop();
  await harness.workOut(id);
  expect(sorted(harness.peers.done('give'))).toEqual(sorted(clients));
});

test('all replicas together reach no more members a second than one may', async () => {
  const { clients } = await handedOut(4);
  const waits: number[] = [];
  const slow = async () => {
    const deps = await harness.anotherInstance();
    const pause = async (ms: number) => waits.push(ms);
    return partWorker({ ...deps, membersPerSecond: 5, pause });
  };
  const workers = await Promise.all([slow(), slow(), slow()]);
  await Promise.all(workers.map((worker) => workOff(worker)));
  expect(harness.peers.done('update')).toHaveLength(clients.length);
  // Five at once, and by a clock that stands still each five more a second later than the last.
  expect(waits.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7].map((s) => s * 1_000));
});

test('cancelling while replicas are at it keeps what has run and skips the rest', async () => {
  const { id, clients } = await handedOut(6);
  const going = gate();
  const both = [await replica(going.opened), await replica(going.opened)];
  const working = both.map(({ start }) => start());
  await until(() => both.every(({ served }) => served.length > 0));
  await cancelCampaign(harness.deps, harness.row(id));
  going.open();
  await until(async () => (await partsLeft()) === 0);
  await Promise.all(working.map((one) => one.stop()));
  await harness.workOut(id);
  expect(harness.peers.done('update')).toHaveLength(2 * PART);
  expect(await harness.statistics(id)).toMatchObject({
    status: 'cancelled',
    audience_completed: 2 * PART,
    audience_pending: clients.length - 2 * PART,
    audience_processing: 0,
    actions_completed: 1,
  });
});

test('of a campaign that is deleted while it runs no part is left', async () => {
  const { id } = await handedOut(6);
  await deleteCampaign(harness.deps, harness.row(id));
  expect(await workOff(partWorker(harness.deps))).toBeGreaterThan(0);
  expect(await partsLeft()).toBe(0);
  expect(harness.peers.effects.size).toBe(0);
});

test('a member whom a service keeps failing for is given up alone, and keeps no other part waiting', async () => {
  const { id, clients } = await handedOut(3);
  const cursed = clients[3]!;
  harness.peers.before = ({ whom }) => {
    if (whom === cursed) throw new Error('a bug');
  };
  await workOff(partWorker(harness.deps));
  const others = clients.slice(PART);
  expect(harness.peers.done('update')).toEqual(expect.arrayContaining(others));
  await harness.workOut(id);
  expect(sorted(harness.peers.done('update'))).toEqual(
    sorted(clients.filter((client) => client !== cursed)),
  );
  expect(await harness.statistics(id)).toMatchObject({
    status: 'completed',
    audience_completed: clients.length - 1,
    audience_failed: 1,
  });
});

test('a member gets as many tries as any other, however often others of the part and an outage had the service asked before', async () => {
  const { id, clients } = await handedOut(3, harness.giving());
  const [cursed, unlucky] = [clients[3]!, clients[7]!];
  let outage = 10;
  let failures = 2;
  harness.peers.before = ({ whom }) => {
    if (whom === unlucky && outage > 0) {
      outage -= 1;
      throw platform.serviceUnavailable();
    }
    if (whom === cursed) throw new Error('a bug');
    if (whom === unlucky && failures > 0) {
      failures -= 1;
      throw new Error('for a moment');
    }
  };
  await harness.workOut(id);
  expect(sorted(harness.peers.done('give'))).toEqual(
    sorted(clients.filter((client) => client !== cursed)),
  );
});

test('a part waits for a service that is away, and is then served whole', async () => {
  const { id, clients } = await handedOut(3, harness.giving());
  let calls = 0;
  harness.peers.before = () => {
    calls += 1;
    if (calls > 5 && calls < 60) throw platform.serviceUnavailable();
  };
  await harness.workOut(id);
  expect(sorted(harness.peers.done('give'))).toEqual(sorted(clients));
  expect(await harness.statistics(id)).toMatchObject({
    audience_completed: clients.length,
    audience_failed: 0,
  });
});

test('a release that knows no parts goes through what is left of a shared audience, and reaches no member again', async () => {
  const { id, clients } = await handedOut(4);
  const [claimed] = await partWorker(harness.deps).due.claim(
    { count: 1, share: 1, inHand: new Map() },
    { now: harness.clock.now(), leaseMs: CLAIM_MS },
  );
  await partWorker(harness.deps).work(claimed!.row, claimed!, { isStopping: () => false });
  harness.clock.advanceMs(1_000);
  // It would hold the whole audience for one that it goes through alone.
  await harness.workOut(id, { ...harness.deps, membersPerPart: 1_000 });
  expect(sorted(harness.peers.done('update'))).toEqual(sorted(clients));
  expect(harness.peers.asked).toBe(clients.length);
  await workOff(partWorker(harness.deps));
  expect(await partsLeft()).toBe(0);
  expect(await harness.statistics(id)).toMatchObject({ status: 'completed' });
});

test.each(['before', 'after'] as const)(
  'killed %s each of its calls, a replica leaves parts that others finish: everybody is reached once',
  async (when) => {
    const calls = await atEveryCall(when, async (death) => {
      harness.peers.effects.clear();
      const { id, clients } = await handedOut(2, harness.giving());
      const process = mortal(harness.deps.connection, death);
      const peers = harness.peers.asPeers();
      const replica = harness.depsOver(process.connection, {
        ...peers,
        clients: process.peer(peers.clients),
        rewards: process.peer(peers.rewards),
      });
      process.arm();
      await Promise.race([workOff(partWorker(replica)), process.died]);
      harness.clock.advanceMs(CLAIM_MS + 1);
      await harness.workOut(id);
      expect(sorted(harness.peers.done('give'))).toEqual(sorted(clients));
      expect(await harness.statistics(id)).toMatchObject({
        status: 'completed',
        audience_completed: clients.length,
        rewards_issued: clients.length,
      });
      expect(await partsLeft()).toBe(0);
      return !process.isDead();
    });
    expect(calls).toBeGreaterThan(10);
  },
  600_000,
);

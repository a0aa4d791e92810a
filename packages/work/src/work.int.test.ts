import {
  currentContext,
  forgetSandbox,
  newId,
  noteSandbox,
  runInContext,
  systemContext,
  workspaceClock,
} from '@laurel/lifecycle';
import { unitOfWork } from '@laurel/mongo';
import { silentLogger, type TestStore, testClock, testStore, until } from '@laurel/testing';
import { drain } from './drain';
import { createDue, type Due } from './due';
import type { Job, PieceJob } from './job';
import { work as metrics } from './metrics';
import { type Broadcast, type RunningWork, startWork } from './run';
import { type DueSpec, dueIndex } from './turns';

const COLLECTION = 'rows';
const HOUR_MS = 3_600_000;
/** A renewal of it may be late by six seconds. */
const CLAIM_MS = 9_000;
const SPEC: DueSpec = { formerly: 'take_over_at' };

interface Row {
  _id: string;
  workspace_id: string;
  due_at?: Date;
  lease?: string;
}

let store: TestStore;
let running: RunningWork[];
beforeEach(async () => {
  store = await testStore([{ collection: COLLECTION, indexes: [dueIndex(SPEC, 'work_due')] }]);
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  await store.drop();
});

const rows = () => store.connection.collection<Row>(COLLECTION);
const dueOf = (connection = store.connection): Due<Row> =>
  createDue<Row, Row>(connection, COLLECTION, { ...SPEC, read: (document) => document });

async function add(workspace: string, count: number, dueAt = new Date()): Promise<void> {
  await rows().insertMany(
    Array.from({ length: count }, (_, number) => ({
      _id: `${workspace}-${number}`,
      workspace_id: workspace,
      due_at: dueAt,
    })),
  );
}

/** Replicas hear each other, as they do over the broker. */
function channel(): () => Broadcast & { sent: string[] } {
  const members: { listeners: Set<(topic: string) => void> }[] = [];
  return () => {
    const own = { listeners: new Set<(topic: string) => void>(), sent: [] as string[] };
    members.push(own);
    return {
      sent: own.sent,
      send: (topic) => {
        own.sent.push(topic);
        for (const member of members)
          if (member !== own) for (const listener of member.listeners) listener(topic);
      },
      listen: (listener) => {
        own.listeners.add(listener);
        return () => own.listeners.delete(listener);
      },
    };
  };
}

function pieceJob(due: Due<Row>, over: Partial<PieceJob<Row>> = {}): PieceJob<Row> {
  const work = (_row: Row, claim: { id: string; lease: string }) => due.finish(claim);
  return { name: 'work', due, concurrency: 4, share: 2, leaseMs: 20_000, work, ...over };
}

function start(job: Job, more: Partial<Parameters<typeof startWork>[0]> = {}): RunningWork {
  const { connection } = store;
  const settings = { service: 'test', jobs: [job], connection, logger: silentLogger };
  const started = startWork({ ...settings, sweepMs: HOUR_MS, ...more });
  running.push(started);
  return started;
}

/** How many are claimed for longer than the claims of `since` were: they were renewed, and more than once. */
const renewed = (since: number) =>
  rows().countDocuments({ due_at: { $gt: new Date(since + 1.5 * CLAIM_MS) } });

const left = () => rows().countDocuments({ due_at: { $exists: true } });

/** A runner that has swept and sleeps: nothing but a wake-up gets it up within the hour. */
async function asleep(due: Due<Row>, job: Job, more = {}): Promise<void> {
  let asked = 0;
  const next = due.next;
  due.next = async (until) => {
    const found = await next(until);
    asked += 1;
    return found;
  };
  start(job, more);
  await until(() => asked > 0);
}

test('who writes due rows in a transaction wakes the worker when it is committed, and not before', async () => {
  const due = dueOf();
  const worked: string[] = [];
  const job = pieceJob(due, {
    work: async ({ _id }, claim) => {
      worked.push(_id);
      await due.finish(claim);
    },
  });
  await asleep(due, job);
  await unitOfWork(store.connection, async (session) => {
    due.wake(session);
    await rows().insertOne({ _id: 'a', workspace_id: 'w', due_at: new Date() }, { session });
  });
  await until(() => worked.length === 1);
  await until(async () => (await left()) === 0);
});

test('two replicas work each row once, and together all of them', async () => {
  for (const workspace of ['a', 'b', 'c', 'd']) await add(workspace, 25);
  const worked: string[] = [];
  for (const connection of [store.connection, await store.connectAgain()]) {
    const due = dueOf(connection);
    start(
      pieceJob(due, {
        work: async ({ _id }, claim) => {
          worked.push(_id);
          await due.finish(claim);
        },
      }),
      { connection },
    );
  }
  await until(async () => (await left()) === 0);
  expect(worked).toHaveLength(100);
  expect(new Set(worked).size).toBe(100);
});

test('a dead worker’s row is taken over after its claim, and its late word changes nothing', async () => {
  await add('a', 1);
  const due = dueOf();
  const now = new Date();
  const room = { count: 1, share: 1, inHand: new Map() };
  const [dead] = await due.claim(room, { now, leaseMs: 1_000 });
  expect(await due.claim(room, { now: new Date(now.getTime() + 999), leaseMs: 1_000 })).toEqual([]);
  const [next] = await due.claim(room, { now: new Date(now.getTime() + 1_000), leaseMs: 20_000 });
  expect(next!.id).toBe(dead!.id);
  expect(await due.finish(dead!)).toBe(false);
  expect(await due.renew(dead!, new Date(0))).toBe(false);
  expect(await due.postpone(dead!, new Date(0))).toBe(false);
  expect(await due.finish(next!)).toBe(true);
  expect(await left()).toBe(0);
});

test('work that takes longer than its claim keeps it, and no other replica takes the row up', async () => {
  await add('a', 1);
  const [due, other] = [dueOf(), dueOf(await store.connectAgain())];
  let end: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = 0;
  const leaseMs = CLAIM_MS;
  start(
    pieceJob(due, {
      leaseMs,
      work: async (_row, claim) => {
        begun = Date.now();
        await gate;
        await due.finish(claim);
      },
    }),
  );
  await until(() => begun > 0);
  const room = { count: 1, share: 1, inHand: new Map() };
  await until(async () => {
    expect(await other.claim(room, { now: new Date(), leaseMs })).toEqual([]);
    return (await renewed(begun)) === 1;
  });
  end();
  await until(async () => (await left()) === 0);
});

test('rows of a tenant go together, no more than a page holds, and never with those of another', async () => {
  await add('a', 25);
  await add('b', 3);
  const due = dueOf();
  const pages: string[][] = [];
  const job: Job = {
    name: 'work',
    due,
    concurrency: 100,
    share: 20,
    page: 10,
    leaseMs: 20_000,
    workPage: async (page) => {
      pages.push(page.map(({ turn }) => turn));
      for (const claim of page) await due.finish(claim);
    },
  };
  expect(await drain(job, silentLogger)).toBe(28);
  const asText = pages.map((turns) => `${turns.length} of ${[...new Set(turns)].join()}`);
  expect(asText.sort()).toEqual(['10 of a', '10 of a', '3 of b', '5 of a']);
  expect(await left()).toBe(0);
});

test('a page that takes longer than its claim keeps all its rows but those that it gave back', async () => {
  await add('a', 3);
  const [due, other] = [dueOf(), dueOf(await store.connectAgain())];
  const leaseMs = CLAIM_MS;
  let [begun, held] = [0, true];
  const job: Job = {
    name: 'work',
    due,
    concurrency: 10,
    share: 10,
    page: 10,
    leaseMs,
    workPage: async ([first, ...rest]) => {
      await due.postpone(first!, new Date(0));
      begun ||= Date.now();
      await until(() => !held);
      for (const claim of rest) await due.finish(claim);
    },
  };
  start(job);
  await until(() => begun > 0);
  const taken: string[] = [];
  await until(async () => {
    const room = { count: 10, share: 10, inHand: new Map() };
    const won = await other.claim(room, { now: new Date(), leaseMs: HOUR_MS });
    taken.push(...won.map(({ id }) => id));
    // What was given back is in the other's hand, or in the first's again.
    return (await renewed(begun)) === 3;
  });
  expect(taken.length).toBeLessThanOrEqual(1);
  held = false;
});

test('a postponed row is worked at its time and not before', async () => {
  const due = dueOf();
  const tries: number[] = [];
  const job = pieceJob(due, {
    work: async (_row, claim) => {
      tries.push(Date.now());
      if (tries.length === 1) await due.postpone(claim, new Date(Date.now() + 400));
      else await due.finish(claim);
    },
  });
  await asleep(due, job);
  await add('a', 1);
  due.wake();
  await until(() => tries.length === 2);
  expect(tries[1]! - tries[0]!).toBeGreaterThanOrEqual(390);
  expect(tries[1]! - tries[0]!).toBeLessThan(30_000);
});

test('what becomes due soon is found by a sweep beforehand and worked at its time', async () => {
  const dueAt = new Date(Date.now() + 1_500);
  await add('a', 1, dueAt);
  const worked: number[] = [];
  const due = dueOf();
  const job = pieceJob(due, {
    work: async (_row, claim) => {
      worked.push(Date.now());
      await due.finish(claim);
    },
  });
  start(job);
  await until(() => worked.length === 1);
  expect(worked[0]! - dueAt.getTime()).toBeGreaterThanOrEqual(0);
  // The next sweep is an hour away.
  expect(worked[0]! - dueAt.getTime()).toBeLessThan(30_000);
});

test('a tenant whose work hangs slows no other', async () => {
  await add('a-slow', 50);
  await add('b', 10);
  const due = dueOf();
  let end: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    end = resolve;
  });
  const done: string[] = [];
  start(
    pieceJob(due, {
      work: async ({ workspace_id }, claim) => {
        if (workspace_id === 'a-slow') await gate;
        done.push(workspace_id);
        await due.finish(claim);
      },
    }),
  );
  await until(() => done.length === 10);
  expect(new Set(done)).toEqual(new Set(['b']));
  end();
  await until(async () => (await left()) === 0);
});

test.each([
  ['more than it can do', { concurrency: 2, share: 2 }],
  ["as much of one tenant as it may, and more of that tenant's is due", { share: 2 }],
])('a replica that has %s wakes the others', async (_what, room) => {
  const join = channel();
  const [first, second] = [dueOf(), dueOf(await store.connectAgain())];
  let end: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    end = resolve;
  });
  const hanging = (due: Due<Row>) =>
    pieceJob(due, { ...room, work: (_row, claim) => gate.then(() => due.finish(claim)) });
  const helped: string[] = [];
  await asleep(first, hanging(first), { broadcast: join() });
  const helper = pieceJob(second, {
    work: async ({ _id }, claim) => {
      helped.push(_id);
      await second.finish(claim);
    },
  });
  await asleep(second, helper, { broadcast: join() });
  await add('a', 6);
  first.wake();
  await until(() => helped.length === 4);
  end();
  await until(async () => (await left()) === 0);
});

test('work that only one replica does goes on although another was woken for it', async () => {
  const join = channel();
  const connections = [store.connection, await store.connectAgain()];
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let [inside, most, begun] = [0, 0, 0];
  const dues = connections.map((connection) => dueOf(connection));
  for (const [position, due] of dues.entries()) {
    const work = async () => {
      begun += 1;
      inside += 1;
      most = Math.max(most, inside);
      const found = await rows()
        .find({ due_at: { $exists: true } })
        .toArray();
      if (begun === 1) await gate;
      await rows().deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      inside -= 1;
      return undefined;
    };
    const settings = { broadcast: join(), connection: connections[position]! };
    await asleep(due, { name: 'batch', due, alone: true, work }, settings);
  }
  await add('a', 1);
  dues[0]!.wake();
  await until(() => begun === 1);
  // Written when the first has read already: the second, which was woken for it, may not work, and asks the first.
  await add('b', 1);
  dues[1]!.wake();
  await until(async () => (await rows().countDocuments({})) === 2);
  open();
  await until(async () => (await rows().countDocuments({})) === 0);
  expect(most).toBe(1);
});

test('stopping waits for what is in hand and takes nothing new', async () => {
  await add('a', 10);
  const due = dueOf();
  let end: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    end = resolve;
  });
  let begun = 0;
  const started = start(
    pieceJob(due, {
      work: async (_row, claim) => {
        begun += 1;
        await gate;
        await due.finish(claim);
      },
    }),
  );
  await until(() => begun === 2);
  const stopped = started.stop();
  end();
  await stopped;
  expect([begun, await left()]).toEqual([2, 8]);
});

test('rows of an earlier version are worked when they are due by its column', async () => {
  const former = store.connection.collection<{ _id: string; workspace_id: string }>(COLLECTION);
  await former.createIndexes([
    { key: { workspace_id: 1, take_over_at: 1, _id: 1 }, name: 'due_in_turns' },
  ]);
  const old = { workspace_id: 'a', lease: 'of a dead one' };
  await former.insertMany([
    { ...old, _id: 'due', take_over_at: new Date(0) } as never,
    { ...old, _id: 'held', take_over_at: new Date(Date.now() + HOUR_MS) } as never,
  ]);
  const worked: string[] = [];
  const due = dueOf();
  start(
    pieceJob(due, {
      work: async ({ _id }, claim) => {
        worked.push(_id);
        await due.finish(claim);
      },
    }),
  );
  await until(() => worked.length === 1);
  await until(async () => (await left()) === 0);
  expect(worked).toEqual(['due']);
  expect(await former.findOne({ _id: 'held' })).toHaveProperty('take_over_at');
});

test('a failing piece is left to the end of its claim and keeps no other waiting', async () => {
  const clock = testClock();
  await add('a', 2, clock.now());
  const due = dueOf();
  const seen: string[] = [];
  const job = pieceJob(due, {
    clock,
    leaseMs: 20_000,
    work: async ({ _id }, claim) => {
      seen.push(_id);
      if (_id === 'a-0' && seen.filter((each) => each === _id).length === 1)
        throw new Error('broken');
      await due.finish(claim);
    },
  });
  start(job);
  await until(async () => (await left()) === 1);
  clock.advanceMs(20_000);
  due.wake();
  await until(async () => (await left()) === 0);
  expect(seen.sort()).toEqual(['a-0', 'a-0', 'a-1']);
});

/** What is counted of a job, by outcome. */
const runsOf = async (name: string) => {
  const { values } = await metrics.runs.get();
  const own = values.filter(({ labels }) => labels.job === name);
  return Object.fromEntries(own.map(({ labels, value }) => [String(labels.outcome), value]));
};

test('what a job came to is counted from nothing, so that its first failure is a rise', async () => {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const work = async () => {
    await opened;
    throw new Error('broken');
  };
  start({ name: 'hourly', every: HOUR_MS, work }, { scrapedMs: 0 });
  expect(await runsOf('hourly')).toEqual({ done: 0, failed: 0 });
  open();
  await until(async () => (await runsOf('hourly')).failed === 1);
});

test('what the first run of a job that runs every hour comes to is counted once its process was scraped', async () => {
  const ran: string[] = [];
  const timed = (name: string, every: number): Job => ({
    name,
    every,
    work: async () => void ran.push(name),
  });
  const begun = Date.now();
  const scrapedMs = 3_000;
  start(timed('seldom', HOUR_MS), { scrapedMs });
  start(timed('often', HOUR_MS / 2), { scrapedMs });
  await until(() => ran.length === 2);
  await until(async () => (await runsOf('often')).done === 1);
  expect(await runsOf('seldom')).toEqual({ done: 0, failed: 0 });
  await until(async () => (await runsOf('seldom')).done === 1);
  expect(Date.now() - begun).toBeGreaterThanOrEqual(scrapedMs - 10);
  expect(ran).toHaveLength(2);
});

test('where no row is due, looks that succeed again are counted once, as done', async () => {
  const due = dueOf();
  const { next, claim } = due;
  let claims = 0;
  due.claim = (...asked) => {
    claims += 1;
    return claim(...asked);
  };
  due.next = () => Promise.reject(new Error('the store is away'));
  start(pieceJob(due, { name: 'recovers' }), { scrapedMs: 0 });
  await until(async () => (await runsOf('recovers')).failed === 1);
  due.next = next;
  for (const looks of [1, 2, 3]) {
    due.wake();
    await until(() => claims >= looks);
  }
  expect(await runsOf('recovers')).toEqual({ done: 1, failed: 1 });
});

test('the looks of a process that replaced a failing one are counted once, when it was scraped', async () => {
  for (const [name, scrapedMs] of [
    ['unseen', HOUR_MS],
    ['seen', 0],
  ] as const) {
    const due = dueOf();
    await asleep(due, pieceJob(due, { name }), { scrapedMs });
  }
  await until(async () => (await runsOf('seen')).done === 1);
  expect(await runsOf('unseen')).toEqual({ done: 0, failed: 0 });
});

describe('beside sandboxes whose clocks were moved', () => {
  const sandboxes: string[] = [];
  function newSandbox(): string {
    const id = newId();
    sandboxes.push(id);
    noteSandbox(id, HOUR_MS);
    return id;
  }
  afterEach(() => sandboxes.splice(0).forEach(forgetSandbox));
  const clock = workspaceClock;
  const dueAt = (ms: number) => new Date(Date.now() + ms);

  test('the step of one sandbox costs no look at the rows of all others', async () => {
    const [stepping, ...others] = [newSandbox(), newSandbox(), newSandbox()] as const;
    const due = dueOf();
    const lookedAt: unknown[] = [];
    const claim = due.claim;
    due.claim = (room, wanted) => {
      lookedAt.push(currentContext().workspaceId);
      return claim(room, wanted);
    };
    await asleep(due, pieceJob(due, { clock }), { followsSandboxes: true });
    await rows().insertOne({ _id: 'a', workspace_id: stepping, due_at: dueAt(HOUR_MS + 60_000) });
    noteSandbox(stepping, HOUR_MS + 120_000);
    await until(async () => (await left()) === 0);
    expect(lookedAt).toContain(stepping);
    for (const other of others) expect(lookedAt).not.toContain(other);
  });

  test('what waits for room in one sandbox is taken up when there is, whatever was looked at since', async () => {
    const sandbox = newSandbox();
    const due = dueOf();
    const job = pieceJob(due, { clock, share: 1 });
    await asleep(due, job, { followsSandboxes: true });
    const ids = ['a', 'b', 'c'];
    await rows().insertMany(
      ids.map((_id) => ({ _id, workspace_id: sandbox, due_at: dueAt(HOUR_MS - 1_000) })),
    );
    await runInContext(systemContext({ workspaceId: sandbox }), async () => due.wake());
    await runInContext(systemContext({ workspaceId: newId() }), async () => due.wake());
    await until(async () => (await left()) === 0);
  });
});

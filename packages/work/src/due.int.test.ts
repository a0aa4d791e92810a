import { forgetSandbox, movedSandboxes, newId, noteSandbox } from '@laurel/lifecycle';
import { type TestStore, testStore } from '@laurel/testing';
import { createDue } from './due';
import { lookBy } from './passes';
import { dueIndex, type Room } from './turns';

const COLLECTION = 'work';
const NOW = new Date('2026-01-01T12:00:00Z');
const LATER = new Date(NOW.getTime() + 60_000);
const NOBODY = new Map<string, number>();

interface WorkRow {
  _id: string;
  workspace_id: string;
  due_at?: Date;
  lease?: string;
}

let store: TestStore;
beforeEach(async () => {
  store = await testStore([{ collection: COLLECTION, indexes: [dueIndex()] }]);
});
afterEach(() => store.drop());

const rows = () => store.connection.collection<WorkRow>(COLLECTION);
const wanted = { now: NOW, leaseMs: 60_000 };
/** Claims of one process, which remembers whose turn it was. */
function claimer(connection = store.connection) {
  const due = createDue<WorkRow, WorkRow>(connection, COLLECTION, { read: (row) => row });
  return async (room: Room, claim = wanted) => (await due.claim(room, claim)).map(({ row }) => row);
}

async function add(workspace: string, count: number, dueAt = NOW): Promise<void> {
  await rows().insertMany(
    Array.from({ length: count }, (_, number) => ({
      _id: `${workspace}-${number}`,
      workspace_id: workspace,
      due_at: dueAt,
    })),
  );
}

const whose = (claimed: readonly WorkRow[]) => claimed.map(({ workspace_id }) => workspace_id);

test('the one piece of a tenant is in the first claim, however much of another is due', async () => {
  await add('a-big', 500, new Date(0));
  await add('b-small', 1);
  const claim = claimer();
  const first = await claim({ count: 4, share: 2, inHand: NOBODY });
  expect(whose(first).sort()).toEqual(['a-big', 'a-big', 'b-small']);
});

test('a tenant that has its share in hand is passed over, and others may take the room', async () => {
  await add('a', 50);
  await add('b', 50);
  const claim = claimer();
  const room = { count: 8, share: 4, inHand: new Map([['a', 4]]) };
  expect(whose(await claim(room))).toEqual(['b', 'b', 'b', 'b']);
});

test('with room for one at a time, tenants take turns', async () => {
  for (const workspace of ['a', 'b', 'c']) await add(workspace, 3);
  const claim = claimer();
  const turns: string[] = [];
  for (let turn = 0; turn < 9; turn += 1)
    turns.push(...whose(await claim({ count: 1, share: 1, inHand: NOBODY })));
  expect(turns).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']);
});

test('what one tenant has due comes in the order in which it was due', async () => {
  for (const second of [3, 1, 2])
    await rows().insertOne({
      _id: `at-${second}`,
      workspace_id: 'a',
      due_at: new Date(second * 1_000),
    });
  const claimed = await claimer()({ count: 5, share: 5, inHand: NOBODY });
  expect(claimed.map(({ _id }) => _id)).toEqual(['at-1', 'at-2', 'at-3']);
});

test('what is not due yet, and what was claimed, is not given out', async () => {
  await add('a', 2, LATER);
  await add('b', 2);
  const claim = claimer();
  const all = { count: 10, share: 10, inHand: NOBODY };
  expect(await claim(all)).toHaveLength(2);
  expect(await claim(all)).toEqual([]);
  const after = { now: LATER, leaseMs: 1 };
  expect(await claim(all, after)).toHaveLength(4);
});

test('two processes never win the same piece, and together they win all', async () => {
  for (const workspace of ['a', 'b', 'c', 'd']) await add(workspace, 25);
  const claims = [claimer(), claimer(await store.connectAgain())];
  const won: string[] = [];
  const drain = async (claim: (typeof claims)[number]) => {
    for (let empty = 0; empty < 3; ) {
      const taken = await claim({ count: 5, share: 3, inHand: NOBODY });
      won.push(...taken.map(({ _id }) => _id));
      empty = taken.length === 0 ? empty + 1 : 0;
    }
  };
  await Promise.all(claims.map(drain));
  expect(won).toHaveLength(100);
  expect(new Set(won).size).toBe(100);
});

test('whatever is due of whomever, no tenant waits longer than one turn of the others', async () => {
  let seed = 7;
  const dice = (sides: number): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed % sides;
  };
  const left = new Map<string, number>();
  for (let tenant = 0; tenant < 12; tenant += 1) {
    const count = dice(3) === 0 ? 60 : 1 + dice(4);
    left.set(`t${tenant}`, count);
    await add(`t${tenant}`, count);
  }
  const claim = claimer();
  const waited = new Map<string, number>();
  while ([...left.values()].some((count) => count > 0)) {
    const count = 1 + dice(4);
    const taken = whose(await claim({ count, share: 1 + dice(2), inHand: NOBODY }));
    expect(taken.length).toBeGreaterThan(0);
    expect(taken.length).toBeLessThanOrEqual(count);
    for (const [tenant, due] of left) {
      const got = taken.filter((each) => each === tenant).length;
      left.set(tenant, due - got);
      waited.set(tenant, got > 0 || due === 0 ? 0 : (waited.get(tenant) ?? 0) + 1);
      expect(waited.get(tenant)).toBeLessThanOrEqual(left.size);
    }
  }
});

test('a row is in hand as long as a claim reaches, and neither when it waits nor when it is over', async () => {
  await add('a', 1);
  const due = createDue<WorkRow, WorkRow>(store.connection, COLLECTION, { read: (row) => row });
  const isHeld = () => due.isHeld('a', LATER);
  expect(await isHeld()).toBe(false);
  await due.claim({ count: 1, share: 1, inHand: NOBODY }, wanted);
  expect(await isHeld()).toBe(true);
  const leftBehind = (change: object) => rows().updateOne({ _id: 'a-0' }, change);
  await leftBehind({ $set: { due_at: new Date(LATER.getTime() + 1) } });
  expect(await isHeld()).toBe(false);
  await leftBehind({ $unset: { due_at: '' } });
  expect(await isHeld()).toBe(false);
});

describe('what a claim asks of the store', () => {
  const isDue = { due_at: { $exists: true, $lte: NOW } };
  const live = [
    ['find', { ...isDue, workspace_id: { $gt: '' } }],
    ['updateMany', { _id: { $in: ['a-0'] }, ...isDue }],
    ['find', { _id: { $in: ['a-0'] }, lease: expect.any(String) }],
  ];
  let sandbox: string;
  beforeEach(() => {
    // What was forgotten once is never known again.
    sandbox = newId();
  });
  afterEach(() => {
    forgetSandbox(sandbox);
    jest.restoreAllMocks();
  });

  async function askedFor(): Promise<unknown[]> {
    await add('a', 1);
    const asked: unknown[] = [];
    const collection = Object.getPrototypeOf(rows());
    for (const method of ['find', 'updateMany'] as const) {
      const real = collection[method];
      jest.spyOn(collection, method).mockImplementation(function (this: unknown, ...given) {
        asked.push([method, given[0]]);
        return real.apply(this, given);
      });
    }
    const claim = claimer();
    const look = () => claim({ count: 4, share: 4, inHand: NOBODY });
    await lookBy(null, look);
    for (const moved of movedSandboxes()) await lookBy(moved, look);
    return asked;
  }

  test('is the same for live workspaces whether there is no sandbox or one that was never moved', async () => {
    expect(await askedFor()).toEqual(live);
    jest.restoreAllMocks();
    await rows().deleteMany({});
    noteSandbox(sandbox, 0);
    expect(await askedFor()).toEqual(live);
  });

  test('leaves out a sandbox that was moved, and is asked once more for it alone', async () => {
    noteSandbox(sandbox, 86_400_000);
    const workspace_id = { $nin: [sandbox] };
    expect(await askedFor()).toEqual([
      ['find', { ...isDue, workspace_id: { $gt: '', ...workspace_id } }],
      ['updateMany', { _id: { $in: ['a-0'] }, ...isDue, workspace_id }],
      live[2],
      ['find', { ...isDue, workspace_id: { $gt: '', $eq: sandbox } }],
    ]);
  });
});

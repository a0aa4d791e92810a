import { type TestStore, testStore, until } from '@laurel/testing';
import type { Connection } from 'mongoose';
import { createKeptAnswers } from './kept-answers';
import { createKeptCounts, createKeptSums, keptSumsIndexes } from './kept-sums';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NOON = Date.UTC(2026, 4, 20, 12);
const START = Date.UTC(2026, 4, 18);

let store: TestStore;
beforeAll(async () => {
  store = await testStore([keptSumsIndexes('sums')]);
});
afterAll(() => store.drop());

/** Sums of a list of happenings, with every range that was looked at. */
function keptSums(
  happened: number[],
  { now = () => NOON, patienceMs = 30_000, connection = store.connection } = {},
) {
  const looked: string[] = [];
  let hold: Promise<void> = Promise.resolve();
  const sums = createKeptSums<{ count: number }>({
    connection,
    collection: 'sums',
    now,
    patienceMs,
    add: (parts) => ({ count: parts.reduce((sum, { count }) => sum + count, 0) }),
    tally: async (_workspaceId, from, end) => {
      looked.push(`${from.toISOString()} ${end.toISOString()}`);
      await hold;
      const within = happened.filter((at) => at >= from.getTime() && at < end.getTime());
      return { count: within.length };
    },
  });
  const holdUntil = (promise: Promise<void>) => {
    hold = promise;
  };
  return { sums, looked, holdUntil };
}
const days = (count: number) => Array.from({ length: count }, (_, day) => START + day * DAY_MS);
const counts = (sums: ({ count: number } | null)[]) => sums.map((sum) => sum?.count ?? null);

test('a day is over by the clock that its rows go by, which may be a sandbox ahead of real time', async () => {
  const start = Date.now() + 400 * DAY_MS;
  const looks: number[] = [];
  const counts = createKeptCounts({
    connection: store.connection,
    collection: 'sums',
    clock: { now: () => new Date(start + 3 * DAY_MS) },
    count: async (_workspaceId, from) => looks.push(from.getTime()),
  });
  const starts = [start, start + DAY_MS];
  const first = await until(async () => {
    const found = await counts.of('sandbox', starts, start + 2 * DAY_MS);
    return !found.includes(null) && found;
  });
  expect(await counts.of('sandbox', starts, start + 2 * DAY_MS)).toEqual(first);
  expect(looks).toEqual(starts);
});

test('a day that is over is summed once, and from then on only the youngest rows are looked at', async () => {
  const happened = [START, START + DAY_MS - 1, START + DAY_MS, NOON - HOUR_MS, NOON - 1];
  const { sums, looked } = keptSums(happened);
  expect(counts(await sums.of('w1', days(3), NOON))).toEqual([2, 1, 2]);
  const first = looked.length;
  happened.push(NOON - 2);
  expect(counts(await sums.of('w1', days(3), NOON))).toEqual([2, 1, 3]);
  // An hour is final ten minutes after its end.
  expect(looked.slice(first)).toEqual([
    `${new Date(NOON - HOUR_MS).toISOString()} ${new Date(NOON).toISOString()}`,
  ]);
  const replica = keptSums(happened);
  expect(counts(await replica.sums.of('w1', days(3), NOON))).toEqual([2, 1, 3]);
  expect(replica.looked).toHaveLength(1);
});

test('every time zone has days of its own, and every workspace', async () => {
  const { sums } = keptSums([START, START + 5 * HOUR_MS]);
  await sums.of('w2', days(2), NOON);
  const shifted = days(2).map((start) => start + 5.5 * HOUR_MS);
  expect(counts(await sums.of('w2', shifted, NOON))).toEqual([0, 0]);
  const other = keptSums([]);
  expect(counts(await other.sums.of('w3', days(2), NOON))).toEqual([0, 0]);
  await sums.removeWorkspace('w2');
  const again = keptSums([]);
  await again.sums.of('w2', days(1), START + DAY_MS);
  expect(again.looked).toHaveLength(1);
});

test('what takes long is null at first, goes on behind the answer, and is kept day by day', async () => {
  const { sums, holdUntil, looked } = keptSums([START], { patienceMs: 20 });
  let go = (): void => undefined;
  holdUntil(new Promise<void>((resolve) => (go = resolve)));
  expect(counts(await sums.of('w4', days(1), START + DAY_MS))).toEqual([null]);
  expect(counts(await sums.of('w4', days(1), START + DAY_MS))).toEqual([null]);
  expect(looked).toHaveLength(1);
  go();
  await until(async () => (await sums.of('w4', days(1), START + DAY_MS))[0] !== null);
  expect(looked).toHaveLength(1);
});

/** The collections as they are, but that a read has its rows already and goes on once `afterRead` is over. */
function readingSlowly(connection: Connection, afterRead: () => Promise<void>) {
  const writes = { done: 0 };
  const collection = (name: string) => {
    const real = connection.collection(name);
    const find = (filter: object) => {
      const cursor = real.find(filter);
      const toArray = cursor.toArray.bind(cursor);
      cursor.toArray = async () => {
        const rows = await toArray();
        await afterRead();
        return rows;
      };
      return cursor;
    };
    const updateOne = async (...of: Parameters<typeof real.updateOne>) => {
      await real.updateOne(...of);
      writes.done += 1;
    };
    return { find, updateOne };
  };
  return { connection: { collection } as unknown as Connection, writes };
}

test('what is stored while somebody else reads what is kept is not summed a second time', async () => {
  let afterRead = async (): Promise<void> => undefined;
  const { connection, writes } = readingSlowly(store.connection, () => afterRead());
  const { sums, holdUntil, looked } = keptSums([START], { patienceMs: 2_000, connection });
  let go = (): void => undefined;
  holdUntil(new Promise<void>((resolve) => (go = resolve)));
  expect(counts(await sums.of('w5', days(1), START + DAY_MS))).toEqual([null]);
  afterRead = async () => {
    go();
    await until(() => writes.done === 1);
    // The one that summed it has heard of the write by then.
    await new Promise((resolve) => setImmediate(resolve));
  };
  expect(counts(await sums.of('w5', days(1), START + DAY_MS))).toEqual([1]);
  expect(looked).toHaveLength(1);
});

test('a kept answer is asked for again after a hundred times what it took, the old one given meanwhile if it is dear', async () => {
  let now = 0;
  let asked = 0;
  const answers = createKeptAnswers(
    async () => {
      now += 50;
      asked += 1;
      return asked;
    },
    () => now,
  );
  expect(await answers.of('w')).toBe(1);
  now += 4_900;
  expect(await answers.of('w')).toBe(1);
  now += 200;
  expect(await answers.of('w')).toBe(1);
  await until(async () => asked === 2);
  expect(await answers.of('w')).toBe(2);
});

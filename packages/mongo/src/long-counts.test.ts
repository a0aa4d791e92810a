import { type CountRange, createLongCounts } from './long-counts';

/** A list of numbers; those up to `settled` are the older part. */
function listOf(length: number) {
  const rows = Array.from({ length }, (_, index) => index);
  const ranges: CountRange<number>[] = [];
  let settled = length - 1;
  return {
    rows,
    ranges,
    settle: () => {
      settled = rows.at(-1)!;
    },
    list: {
      key: 'workspace list',
      settled: () => settled,
      count: async (range: CountRange<number>, atMost = Number.POSITIVE_INFINITY) => {
        ranges.push(range);
        const { after = -1, until = Number.POSITIVE_INFINITY } = range;
        return Math.min(atMost, rows.filter((row) => row > after && row <= until).length);
      },
    },
  };
}

const turn = () => new Promise(setImmediate);

/** A list of which some counts are done, but not reported before they are released. */
function heldUp(
  list: ReturnType<typeof listOf>['list'],
  isHeld: (range: CountRange<number>) => boolean,
) {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const count = async (range: CountRange<number>, atMost?: number) => {
    const counted = await list.count(range, atMost);
    if (isHeld(range)) await held;
    return counted;
  };
  return { slow: { ...list, count }, release: () => release() };
}

test('a short list is counted each time', async () => {
  const { list, ranges } = listOf(20_000);
  const counts = createLongCounts<number>({ keptMs: 1_000 });
  expect(await counts.total(list)).toBe(20_000);
  expect(await counts.total(list)).toBe(20_000);
  expect(ranges).toEqual([{}, {}]);
});

test('what is said to be long is not counted that far first', async () => {
  const { list, ranges } = listOf(30_000);
  const counts = createLongCounts<number>({ keptMs: 1_000 });
  expect(await counts.total({ ...list, isLong: true })).toBe(30_000);
  expect(ranges).toEqual([{ until: 29_999 }, { after: 29_999 }]);
});

test('who asks at once shares a count, who asks while it goes on gets one of its own', async () => {
  const { list, rows, ranges } = listOf(10);
  const counts = createLongCounts<number>({ keptMs: 1_000 });
  const { slow, release } = heldUp(list, () => true);
  const atOnce = [counts.total(slow), counts.total(slow), counts.total(slow)];
  await turn();
  rows.push(10);
  const later = [counts.total(slow), counts.total(slow)];
  release();
  expect(await Promise.all([...atOnce, ...later])).toEqual([10, 10, 10, 11, 11]);
  expect(ranges).toHaveLength(2);
});

test('of a long list only what is new is counted again, and it is counted at once', async () => {
  const { list, rows, ranges } = listOf(30_000);
  const counts = createLongCounts<number>({ keptMs: null });
  expect(await counts.total(list)).toBe(30_000);
  rows.push(30_000, 30_001);
  expect(await counts.total(list)).toBe(30_002);
  expect(ranges).toEqual([{}, { until: 29_999 }, { after: 29_999 }, { after: 29_999 }]);
});

test('the older part of a long list is counted once for all who ask while nothing is remembered', async () => {
  const { list, ranges } = listOf(30_000);
  const counts = createLongCounts<number>({ keptMs: null });
  const totals = await Promise.all([1, 2, 3].map(() => counts.total(list)));
  expect(totals).toEqual([30_000, 30_000, 30_000]);
  expect(ranges.filter(({ until }) => until !== undefined)).toHaveLength(1);
});

test('a row that goes is noticed after a while, and at once when the counts hear of it', async () => {
  const { list, rows } = listOf(30_000);
  let now = 0;
  const counts = createLongCounts<number>({ keptMs: 1_000, now: () => now });
  await counts.total(list);
  await turn();
  rows.shift();
  expect(await counts.total(list)).toBe(30_000);
  now = 2_000;
  expect(await counts.total(list)).toBe(29_999);
  rows.shift();
  counts.forget('workspace');
  expect(await counts.total(list)).toBe(29_998);
});

test('a count that was under way when its list changed is not remembered', async () => {
  const { list, rows } = listOf(30_000);
  const counts = createLongCounts<number>({ keptMs: 60_000 });
  const { slow, release } = heldUp(list, ({ until }) => until !== undefined);
  const underWay = counts.total(slow);
  await turn();
  rows.shift();
  counts.forget('workspace');
  release();
  await underWay;
  expect(await counts.total(list)).toBe(29_999);
});

test('where rows never go, a long tail joins the older part without counting that again', async () => {
  const { list, rows, ranges, settle } = listOf(30_000);
  const counts = createLongCounts<number>({ keptMs: null });
  await counts.total(list);
  await turn();
  for (let row = 30_000; row < 41_000; row += 1) rows.push(row);
  settle();
  expect(await counts.total(list)).toBe(41_000);
  await turn();
  expect(ranges.at(-1)).toEqual({ after: 29_999, until: 40_999 });
  expect(await counts.total(list)).toBe(41_000);
  expect(ranges.at(-1)).toEqual({ after: 40_999 });
});

test('a count that fails is reported to who asked, and tried again', async () => {
  const { list } = listOf(30_000);
  const counts = createLongCounts<number>({ keptMs: null });
  const failing = { ...list, count: () => Promise.reject(new Error('away')) };
  await expect(counts.total(failing)).rejects.toThrow('away');
  expect(await counts.total(list)).toBe(30_000);
});

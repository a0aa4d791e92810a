import { silentLogger, until } from '@laurel/testing';
import { startWorker, type WorkerSpec } from './worker';

interface Row {
  lane: string;
  number: number;
}

function bench(rows: Row[], over: Partial<WorkerSpec<Row>> = {}) {
  const inHand = new Map<string, number>();
  const seen = { most: 0, mostPerLane: 0, done: [] as Row[] };
  let release: () => void = () => undefined;
  let gate: Promise<void> | null = null;
  const worker = startWorker<Row>(
    {
      name: 'test',
      everyMs: 10_000,
      concurrency: 4,
      concurrencyPerLane: 2,
      claim: async (full) => {
        const index = rows.findIndex(({ lane }) => !full.includes(lane));
        return index === -1 ? null : rows.splice(index, 1)[0]!;
      },
      laneOf: ({ lane }) => lane,
      work: async (row) => {
        inHand.set(row.lane, (inHand.get(row.lane) ?? 0) + 1);
        seen.mostPerLane = Math.max(seen.mostPerLane, inHand.get(row.lane)!);
        seen.most = Math.max(
          seen.most,
          [...inHand.values()].reduce((sum, each) => sum + each, 0),
        );
        await gate;
        inHand.set(row.lane, inHand.get(row.lane)! - 1);
        seen.done.push(row);
      },
      ...over,
    },
    silentLogger,
  );
  return {
    worker,
    seen,
    close: () => {
      gate = new Promise((resolve) => {
        release = resolve;
      });
    },
    open: () => release(),
  };
}

const rowsOf = (lane: string, count: number): Row[] =>
  Array.from({ length: count }, (_, number) => ({ lane, number }));

test('everything due is worked off after one poke, within the room there is', async () => {
  const { worker, seen } = bench([...rowsOf('a', 20), ...rowsOf('b', 20)]);
  worker.poke();
  await until(() => seen.done.length === 40);
  expect(seen.most).toBeLessThanOrEqual(4);
  expect(seen.mostPerLane).toBeLessThanOrEqual(2);
  await worker.stop();
});

test('a lane that does not get on leaves room to the others', async () => {
  const { worker, seen, close, open } = bench([...rowsOf('slow', 10)]);
  close();
  worker.poke();
  await until(() => seen.most === 2);
  expect(seen.done).toHaveLength(0);
  open();
  await until(() => seen.done.length === 10);
  await worker.stop();
});

test('work that fails, and a store that is away, do not end the worker', async () => {
  let asked = 0;
  const done: number[] = [];
  const { worker } = bench([], {
    everyMs: 5,
    claim: async () => {
      asked += 1;
      if (asked === 1) throw new Error('away');
      return asked <= 3 ? { lane: 'a', number: asked } : null;
    },
    work: async ({ number }) => {
      done.push(number);
      if (number === 2) throw new Error('broken');
    },
  });
  await until(() => done.length === 2);
  expect(done).toEqual([2, 3]);
  await worker.stop();
});

test('stopping waits for what is in hand and takes nothing new', async () => {
  const rows = rowsOf('a', 10);
  const { worker, seen, close, open } = bench(rows);
  close();
  worker.poke();
  await until(() => seen.most === 2);
  const stopped = worker.stop();
  open();
  await stopped;
  expect(seen.done).toHaveLength(2);
  expect(rows).toHaveLength(8);
});

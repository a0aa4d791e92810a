import { silentLogger, until } from '@laurel/testing';
import { createWorker, type WorkerSpec } from './worker';

interface Row {
  tenant: string;
  number: number;
}

function bench(rows: Row[], over: Partial<WorkerSpec<Row>> = {}) {
  const inHand = new Map<string, number>();
  const seen = { most: 0, mostOfOne: 0, done: [] as Row[] };
  let release: () => void = () => undefined;
  let gate: Promise<void> | null = null;
  const worker = createWorker<Row>(
    {
      name: 'test',
      concurrency: 4,
      share: 2,
      claim: async (room) => {
        const held = new Map(room.inHand);
        const taken: Row[] = [];
        for (const row of [...rows]) {
          const count = held.get(row.tenant) ?? 0;
          if (taken.length === room.count || count >= room.share) continue;
          held.set(row.tenant, count + 1);
          taken.push(...rows.splice(rows.indexOf(row), 1));
        }
        return taken;
      },
      turnOf: ({ tenant }) => tenant,
      work: async (row) => {
        inHand.set(row.tenant, (inHand.get(row.tenant) ?? 0) + 1);
        seen.mostOfOne = Math.max(seen.mostOfOne, inHand.get(row.tenant)!);
        seen.most = Math.max(
          seen.most,
          [...inHand.values()].reduce((sum, each) => sum + each, 0),
        );
        await gate;
        inHand.set(row.tenant, inHand.get(row.tenant)! - 1);
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

const rowsOf = (tenant: string, count: number): Row[] =>
  Array.from({ length: count }, (_, number) => ({ tenant, number }));

test('everything due is worked off after one look, within the room there is', async () => {
  const { worker, seen } = bench([...rowsOf('a', 20), ...rowsOf('b', 20)]);
  await worker.look();
  await worker.idle();
  expect(seen.done).toHaveLength(40);
  expect(seen.most).toBeLessThanOrEqual(4);
  expect(seen.mostOfOne).toBeLessThanOrEqual(2);
});

test('a tenant whose work does not get on leaves room to the others', async () => {
  const rows = rowsOf('slow', 10);
  const { worker, seen, close, open } = bench(rows);
  close();
  await worker.look();
  expect(seen.most).toBe(2);
  rows.push(...rowsOf('quick', 2));
  await worker.look();
  expect(seen.most).toBe(4);
  open();
  await worker.idle();
  expect(seen.done).toHaveLength(12);
});

test('work that fails, and a store that is away, do not end the worker', async () => {
  let asked = 0;
  const done: number[] = [];
  const { worker } = bench([], {
    claim: async () => {
      asked += 1;
      if (asked === 1) throw new Error('away');
      return asked <= 3 ? [{ tenant: 'a', number: asked }] : [];
    },
    work: async ({ number }) => {
      done.push(number);
      if (number === 2) throw new Error('broken');
    },
  });
  await worker.look();
  await worker.look();
  await worker.idle();
  expect(done).toEqual([2, 3]);
});

test('stopping waits for what is in hand and takes nothing new', async () => {
  const rows = rowsOf('a', 10);
  const { worker, seen, close, open } = bench(rows);
  close();
  void worker.look();
  await until(() => seen.most === 2);
  const stopped = worker.stop();
  open();
  await stopped;
  expect(seen.done).toHaveLength(2);
  expect(rows).toHaveLength(8);
});

import { goalsOf, renderGoals } from './report.mjs';

const measured = (cpuUs: Record<string, number>, perSecond: number) => ({
  ...{ perSecond, p50Ms: 1, p99Ms: 2, errors: 0, operations: 1_000, othersCores: 0 },
  ...{ cpuUs, ownUs: 100 },
});
const row = (name: string, mode: string, figures: ReturnType<typeof measured>) => ({
  ...{ name, mode, inFlight: 32, measured: figures },
});
const FLOOR = row('raw 3-write transaction', '', measured({ documentdb: 900 }, 1_300));
const HOP = row('express -> gRPC stub', '', measured({ http: 150, grpc: 50 }, 5_000));
const EARN = row(
  'earn',
  'one process',
  measured({ 'all-in-one': 1_800, documentdb: 1_200, rabbitmq: 500 }, 430),
);
const run = (rows: (typeof FLOOR)[]) => ({ rows, mode: 'one process', inFlight: 32 });

test('a row says what it would come to at best, with servers as they are and one hop in place of our processes', () => {
  const [earn] = goalsOf(run([FLOOR, HOP, EARN]));
  expect(earn?.value).toBeCloseTo(430 / 1_300);
  expect(earn?.atBest).toBeCloseTo((900 + 100) / (1_200 + 500 + 200 + 100));
  expect(renderGoals([earn!])).toContain('| 0.33 | 0.50 | 0.7 | 1.2 | missed |');
});

test('no best is given where the hop was not measured', () => {
  const [earn] = goalsOf(run([FLOOR, EARN]));
  expect(earn?.atBest).toBeUndefined();
  expect(renderGoals([earn!])).toContain('| 0.33 |  | 0.7 |');
});

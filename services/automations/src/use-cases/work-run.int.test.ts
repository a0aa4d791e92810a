import { until } from '@laurel/testing';
import { startWork } from '@laurel/work';
import type { Deps } from '../deps';
import { Harness } from '../testing/harness';
import { openRuns } from './open-runs';
import { runReader, runWorker } from './work-run';

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const PAGE = 20;
const CLIENTS = 5 * PAGE;
/** Somewhat more than a claim lasts. */
const CLAIM_MS = 61_000;
const schedule = { cron: '0 9 * * *', timezone: 'Europe/Berlin' };

function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** One of several instances of the service: it notes whom it is at, and waits there. */
async function replica(until: Promise<void>) {
  const served: string[] = [];
  const neighbours = harness.neighbours();
  const ledger: Deps['ledger'] = {
    ...neighbours.ledger,
    EarnPoints: async (request) => {
      served.push(request.client_id);
      await until;
      return neighbours.ledger.EarnPoints(request);
    },
  };
  const { connection } = await harness.anotherInstance();
  const deps = harness.depsOver(connection, { ...neighbours, ledger });
  const start = () =>
    startWork({
      service: 'test',
      jobs: [runReader(deps, PAGE), runWorker(deps)],
      connection,
      logger: deps.logger,
      sweepMs: 300,
    });
  return { served, deps, start };
}

test('three replicas share a run page by page; each client is served once, and the page of one that stands still is taken over', async () => {
  const clients = Array.from({ length: CLIENTS }, () => harness.newClient());
  await harness.newRule({ trigger_type: 'time_based', trigger_config: { schedule } });
  harness.clock.set('2026-01-16T08:00:00.000Z');
  const [allAtIt, stuck] = [gate(), gate()];
  const first = await replica(allAtIt.opened);
  const second = await replica(allAtIt.opened);
  const third = await replica(stuck.opened);
  const rowsOf = (name: string) => harness.store.connection.collection(name);
  const left = () => rowsOf('run_parts').countDocuments();
  await openRuns(first.deps);
  const working = [first, second, third].map(({ start }) => start());

  await until(() => [first, second, third].every(({ served }) => served.length > 0));
  allAtIt.open();
  await until(async () => (await left()) === 1);
  expect(first.served.length + second.served.length).toBe(CLIENTS - PAGE);
  expect(third.served.length).toBeLessThanOrEqual(8);

  harness.clock.advanceMs(CLAIM_MS);
  await until(async () => (await left()) === 0);
  await until(async () => {
    harness.clock.advanceMs(1_000);
    return (await rowsOf('runs').findOne({}))?.finished_at !== undefined;
  });
  stuck.open();
  await Promise.all(working.map((one) => one.stop()));
  expect([...first.served, ...second.served].sort()).toEqual([...clients].sort());
  expect(clients.filter((id) => harness.balanceOf(id) !== 5)).toEqual([]);
});

import { newId } from '@laurel/lifecycle';
import { silentLogger, until } from '@laurel/testing';
import { startWork } from '@laurel/work';
import type { PassUpdateDocument } from '../../store/pass-update-document';
import { Harness } from '../../testing/wallet-harness';
import { templateRefreshWorker } from './work-template-refreshes';

const STEP = 500;
const PASSES = 4 * STEP + 100;
/** Somewhat more than a claim lasts. */
const CLAIM_MS = 16_000;

let harness: Harness;
beforeEach(async () => {
  harness = await Harness.open();
});
afterEach(() => harness.close());

const updates = () => harness.store.connection.collection<PassUpdateDocument>('pass_updates');

/** Passes with nothing owed, as they are long after they were made. */
async function passesOn(templateId: string): Promise<string[]> {
  const ids = Array.from({ length: PASSES }, newId).sort();
  const { workspaceId: workspace_id, clock } = harness;
  const passes = harness.store.connection.collection<{ _id: string }>('passes');
  await passes.insertMany(
    ids.map((_id) => ({
      _id,
      workspace_id,
      pass_template_id: templateId,
      client_id: _id,
      barcode_value: _id,
    })),
  );
  const now = clock.now();
  const rest = { workspace_id, asked: 0, not_before: now, changed_at: now };
  await updates().insertMany(ids.map((_id) => ({ _id, ...rest })));
  return ids;
}

/** No push goes out here: what is owed is as good as on its way. */
async function putAside(): Promise<void> {
  const owed = { pending: true as const, not_before: { $lte: harness.clock.now() } };
  await updates().updateMany(owed, { $set: { not_before: new Date(8_640_000_000_000_000) } });
}

/** One of several instances: it notes whom it asks updates for, and may stand still before it does, its claim with it. */
async function replica(standStill: () => Promise<void> | undefined) {
  const asked: string[][] = [];
  let advanced = 0;
  let isStill = false;
  const connection = await harness.store.connectAgain();
  const deps = harness.depsOver(connection);
  const passUpdates: typeof deps.passUpdates = {
    ...deps.passUpdates,
    ask: async (workspaceId, what, session) => {
      asked.push([...what.passIds]);
      const stood = standStill();
      isStill = stood !== undefined;
      await stood;
      isStill = false;
      await deps.passUpdates.ask(workspaceId, what, session);
    },
  };
  const templateRefreshes: typeof deps.templateRefreshes = {
    ...deps.templateRefreshes,
    due: {
      ...deps.templateRefreshes.due,
      renew: async (...claim) => isStill || deps.templateRefreshes.due.renew(...claim),
    },
    advance: async (...step) => {
      await deps.templateRefreshes.advance(...step);
      advanced += 1;
    },
  };
  const jobs = [templateRefreshWorker({ ...deps, passUpdates, templateRefreshes })];
  const start = () =>
    startWork({ service: 'test', jobs, connection, logger: silentLogger, sweepMs: 200 });
  return { asked, start, isIdle: () => advanced === asked.length };
}

test('a walk that one of three replicas stands still at goes on where it was, and asks for each pass once', async () => {
  const template = await harness.newTemplate();
  const ids = await passesOn(template.id);
  let goOn: () => void = () => undefined;
  const stuck = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let steps = 0;
  const atSecond = () => {
    steps += 1;
    return steps === 2 ? stuck : undefined;
  };
  const replicas = [await replica(atSecond), await replica(atSecond), await replica(atSecond)];
  const working = replicas.map(({ start }) => start());
  await harness.deps.templateRefreshes.ask(harness.workspaceId, template.id);
  await until(() => steps === 2);
  harness.clock.advanceMs(CLAIM_MS);
  const askedFor = async () => (await updates().countDocuments({ asked: 1 })) / STEP;
  await until(async () => (await askedFor()) === 2);
  // As many are owed now as a walk waits for, and so are after two more steps.
  await putAside();
  await until(async () => {
    harness.clock.advanceMs(100);
    return (await askedFor()) === 4;
  });
  goOn();
  await until(() => replicas.every(({ isIdle }) => isIdle()));
  await until(async () => {
    harness.clock.advanceMs(100);
    await putAside();
    return (await updates().countDocuments({ pending: true })) === PASSES;
  });
  await Promise.all(working.map((one) => one.stop()));
  const pages = replicas.flatMap(({ asked }) => asked);
  expect([...new Set(pages.flat())].sort()).toEqual(ids);
  // The step of the one that stood still was taken once more, and no other.
  expect(pages.map(({ length }) => length).sort()).toEqual([
    PASSES - 4 * STEP,
    ...Array(5).fill(STEP),
  ]);
});

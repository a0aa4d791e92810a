import { runInContext, standstills, systemContext } from '@laurel/lifecycle';
import { type TestStore, testStore, until } from '@laurel/testing';
import { storeFault } from './errors';
import { StaleWrite } from './stale-write';
import { onEnded, type Session, unitOfWork } from './unit-of-work';

let store: TestStore;
beforeAll(async () => {
  store = await testStore();
});
afterAll(() => store.drop());

test('many more units of work at once than connections: all of them end', async () => {
  const rows = store.connection.collection<{ _id: string }>('rows');
  await rows.insertOne({ _id: 'first' });
  const names = Array.from({ length: 200 }, (_, i) => `row ${i}`);
  await Promise.all(
    names.map((name) =>
      unitOfWork(store.connection, async (session) => {
        await rows.findOne({ _id: name }, { session });
        await rows.insertOne({ _id: name }, { session });
      }),
    ),
  );
  expect(await rows.countDocuments({})).toBe(201);
});

test('a conflict that lasts is tried again until the caller’s deadline is near, and then reported as one', async () => {
  const rows = store.connection.collection<{ _id: string; held: number }>('held');
  await rows.insertOne({ _id: 'row', held: 0 });
  let attempts = 0;
  const lose = (deadlineAt: number) =>
    runInContext(systemContext({ deadlineAt }), () =>
      unitOfWork(store.connection, async (session) => {
        attempts += 1;
        await rows.findOne({ _id: 'row' }, { session });
        // Somebody else is always a little faster.
        await rows.updateOne({ _id: 'row' }, { $inc: { held: 1 } });
        await rows.updateOne({ _id: 'row' }, { $set: { held: -1 } }, { session });
      }),
    );
  // On a machine that stands still for as long as there is, no second attempt comes.
  await until(async () => {
    const before = attempts;
    const deadlineAt = Date.now() + 3_000;
    const error = await lose(deadlineAt).catch((failure: unknown) => failure);
    expect(storeFault(error)).toBe('conflict');
    // Without a deadline it is tried for ten seconds.
    return attempts > before + 1 && Date.now() < deadlineAt + 6_500;
  });
  expect(await rows.findOne({ _id: 'row' })).toEqual({ _id: 'row', held: attempts });
});

test('work that is run again and again listens once for the end of its session, and all that it asked for comes', async () => {
  const ended: number[] = [];
  let attempts = 0;
  let used: Session | undefined;
  await unitOfWork(store.connection, async (session) => {
    used = session;
    attempts += 1;
    const asked = attempts;
    onEnded(session, () => ended.push(asked));
    expect(session.listenerCount('ended')).toBeLessThanOrEqual(2);
    if (attempts < 15) throw new StaleWrite('the row');
    expect(ended).toEqual([]);
  });
  expect(ended).toEqual(Array.from({ length: 15 }, (_, at) => at + 1));
  expect(used!.hasEnded).toBe(true);
});

interface Losing {
  /** By so much the clock is set as soon as the work began. */
  byMs: number;
  /** So often somebody else is a little faster. */
  times: number;
  withinMs: number;
}

async function loseWhileTheClockIsSet({ byMs, times, withinMs }: Losing): Promise<unknown> {
  const rows = store.connection.collection<{ _id: string; held: number }>('jumping');
  const _id = `row ${byMs}`;
  await rows.insertOne({ _id, held: 0 });
  const { now } = Date;
  let losses = 0;
  const losing = runInContext(systemContext({ deadlineAt: now() + withinMs }), () =>
    unitOfWork(store.connection, async (session) => {
      jest.spyOn(Date, 'now').mockImplementation(() => now() + byMs);
      await rows.findOne({ _id }, { session });
      if (losses++ < times) await rows.updateOne({ _id }, { $inc: { held: 1 } });
      await rows.updateOne({ _id }, { $set: { held: -1 } }, { session });
    }),
  );
  const outcome = await losing.catch((error: unknown) => storeFault(error) ?? error);
  jest.restoreAllMocks();
  return outcome ?? (await rows.findOne({ _id }))?.held;
}

test('a clock that is set on by an hour does not end the tries of a conflict', async () => {
  const outcome = await loseWhileTheClockIsSet({ byMs: 3_600_000, times: 1, withinMs: 10_000 });
  expect(outcome).toBe(-1);
});

test('a clock that is set back by an hour does not prolong the tries of a conflict', async () => {
  const always = Number.POSITIVE_INFINITY;
  const losing = loseWhileTheClockIsSet({ byMs: -3_600_000, times: always, withinMs: 1_500 });
  expect(await losing).toBe('conflict');
});

test('twenty writers of one document at once: all of them get their turn', async () => {
  const rows = store.connection.collection<{ _id: string; count: number }>('hot');
  await rows.insertOne({ _id: 'row', count: 0 });
  await Promise.all(
    Array.from({ length: 20 }, () =>
      unitOfWork(store.connection, async (session) => {
        await rows.updateOne({ _id: 'row' }, { $inc: { count: 1 } }, { session });
      }),
    ),
  );
  expect((await rows.findOne({ _id: 'row' }))?.count).toBe(20);
});

const standStill = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end; );
};

test.each(['while the unit is under way', 'before it is begun'])(
  'what a process that stood still %s would commit after the time of its caller is not kept',
  async (when) => {
    standstills();
    const isBegun = when.startsWith('while');
    const rows = store.connection.collection<{ _id: string }>(isBegun ? 'late' : 'begun late');
    await rows.insertOne({ _id: 'first' });
    const late = runInContext(systemContext({ deadlineAt: Date.now() + 2_000 }), () => {
      // A call asks other services first, and may stand still as it does.
      if (!isBegun) standStill(4_500);
      return unitOfWork(store.connection, async (session) => {
        await rows.insertOne({ _id: 'late' }, { session });
        if (isBegun) standStill(4_500);
      });
    });
    await expect(late).rejects.toMatchObject({ httpStatus: 503 });
    expect(await rows.distinct('_id', {})).toEqual(['first']);
  },
);

test('what is begun and ended in its caller’s time is kept, also right after a standstill', async () => {
  standstills();
  const rows = store.connection.collection<{ _id: string }>('in time');
  await rows.insertOne({ _id: 'first' });
  standStill(4_500);
  await runInContext(systemContext({ deadlineAt: Date.now() + 10_000 }), () =>
    unitOfWork(store.connection, async (session) => {
      await rows.insertOne({ _id: 'second' }, { session });
    }),
  );
  expect(await rows.countDocuments({})).toBe(2);
});

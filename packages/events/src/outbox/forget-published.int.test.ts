import { unitOfWork } from '@laurel/mongo';
import { type TestStore, testStore } from '@laurel/testing';
import { memberAdded } from '../testing/harness';
import { forgetPublished } from './forget-published';
import { createOutbox, type Outbox } from './outbox';
import { outboxRows } from './outbox-rows';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let store: TestStore;
let outbox: Outbox;
let now: number;
beforeEach(async () => {
  now = Date.now();
  store = await testStore([outboxRows]);
  outbox = createOutbox(store.connection);
});
afterEach(() => store.drop());

const after = (ms: number) => new Date(now + ms);
const sweep = (at: Date) => forgetPublished(store.connection, DAY_MS, at);
const rows = () => store.connection.collection<{ _id: string }>('outbox');
const kept = async () => (await rows().distinct('_id', {})).length;

/** Looks as the job does, without a pause that would be an absence. */
async function liveUntil(ms: number, from = 0): Promise<void> {
  for (let at = from; at < ms; at += 50 * MINUTE_MS) await sweep(after(at));
  await sweep(after(ms));
}

async function published(count: number): Promise<string[]> {
  const events = Array.from({ length: count }, () => memberAdded());
  await unitOfWork(store.connection, (session) => outbox.append(events, session));
  const ids = events.map(({ id }) => id);
  await outbox.markPublished(ids);
  return ids;
}

test('what was published goes a day later, and what waits stays however old it is', async () => {
  const waiting = memberAdded();
  await unitOfWork(store.connection, (session) => outbox.append([waiting], session));
  await published(2);
  await liveUntil(DAY_MS - MINUTE_MS);
  expect(await kept()).toBe(3);
  await liveUntil(DAY_MS + HOUR_MS, DAY_MS);
  expect(await rows().distinct('_id', {})).toEqual([waiting.id]);
});

test('a database that was restored keeps for another day what had left before its backup', async () => {
  await liveUntil(2 * DAY_MS, -DAY_MS);
  const ids = await published(2);
  const leftAt = after(2 * DAY_MS);
  await rows().updateMany({ _id: { $in: ids } }, { $set: { published_at: leftAt } });
  // The backup is of that moment; it is restored three days later.
  const restoredAt = 5 * DAY_MS;
  await liveUntil(restoredAt + DAY_MS - HOUR_MS, restoredAt);
  expect(await kept()).toBe(2);
  await liveUntil(restoredAt + DAY_MS + HOUR_MS, restoredAt + DAY_MS - HOUR_MS);
  expect(await kept()).toBe(0);
});

test('an event that a replay lets leave again is not removed under its feet', async () => {
  const [id = ''] = await published(1);
  await liveUntil(DAY_MS - MINUTE_MS);
  const replayed = { $set: { pending: true, published_at: null } };
  const racing = {
    collection: (name: string) =>
      new Proxy(store.connection.collection(name), {
        get: (collection, member: 'find') =>
          (member as string) === 'deleteMany'
            ? async (filter: object) => {
                await rows().updateOne({ _id: id }, replayed);
                return collection.deleteMany(filter);
              }
            : collection[member].bind(collection),
      }),
  } as unknown as typeof store.connection;
  await forgetPublished(racing, DAY_MS, after(DAY_MS + MINUTE_MS));
  expect((await outbox.claim(10, 1_000)).map(({ key }) => key)).toEqual([id]);
});

test('more than one piece is said to be more, and is gone in the end', async () => {
  const leftAt = new Date(now);
  await rows().insertMany(
    Array.from({ length: 5_001 }, (_, at) => ({ _id: `e${at}`, published_at: leftAt }) as never),
  );
  await liveUntil(DAY_MS - MINUTE_MS);
  expect(await sweep(after(DAY_MS + MINUTE_MS))).toEqual({ more: true });
  expect(await sweep(after(DAY_MS + MINUTE_MS))).toEqual({ more: false });
  expect(await kept()).toBe(0);
});

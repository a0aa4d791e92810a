import { type TestStore, testStore } from '@laurel/testing';
import type { CloudEvent } from '../envelope';
import { memberAdded } from '../testing/harness';
import { createInbox, type Inbox, inboxIndexes } from './inbox';

const DAY_MS = 86_400_000;

let store: TestStore;
beforeEach(async () => {
  store = await testStore([inboxIndexes]);
});
afterEach(() => store.drop());

test('an event is remembered as handled for longer than its maker keeps it to send it again', async () => {
  const event = memberAdded();
  let effects = 0;
  const handle = () =>
    createInbox(store.connection, 'queue').onceFor(event)(async () => {
      effects += 1;
    });
  await handle();
  await store.expire(new Date(Date.now() + 7.5 * DAY_MS));
  await handle();
  expect(effects).toBe(1);
  await store.expire(new Date(Date.now() + 9 * DAY_MS));
  await handle();
  expect(effects).toBe(2);
});

test('batches that replicas handle in the same moment, of which some are in each, are handled as a whole and each event once', async () => {
  const replicas = [1, 2, 3].map(() => createInbox(store.connection, 'queue'));
  const effects = store.connection.collection<{ _id: string; times: number }>('effects');
  for (let round = 0; round < 10; round += 1) {
    const events = Array.from({ length: 20 }, () => memberAdded());
    const handle = (inbox: Inbox, part: CloudEvent[]) =>
      inbox.onceForBatch(part)(async (session, fresh) => {
        const writes = fresh.map(({ id: _id }) => ({
          updateOne: { filter: { _id }, update: { $inc: { times: 1 } }, upsert: true },
        }));
        if (writes.length > 0) await effects.bulkWrite(writes, { session });
      });
    await Promise.all(
      replicas.map((inbox, at) => handle(inbox, events.slice(at * 3, at * 3 + 14))),
    );
    const ids = events.map(({ id }) => id);
    const found = await effects.find({ _id: { $in: ids } }).toArray();
    expect(found.map(({ times }) => times)).toEqual(ids.map(() => 1));
  }
});

import { type TestStore, testStore } from '@laurel/testing';
import { memberAdded } from '../testing/harness';
import { createInbox, inboxIndexes } from './inbox';

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

import { unitOfWork } from '@laurel/mongo';
import { type TestStore, testStore } from '@laurel/testing';
import { memberAdded } from '../testing/harness';
import { createOutbox, type Outbox } from './outbox';
import { outboxRows } from './outbox-rows';

const DAY_MS = 86_400_000;

let store: TestStore;
let outbox: Outbox;
beforeEach(async () => {
  store = await testStore([outboxRows]);
  outbox = createOutbox(store.connection);
});
afterEach(() => store.drop());

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const kept = () => store.connection.collection('outbox').countDocuments();

test('an event that could not be published grows as old as it must; one that was published goes after a week', async () => {
  const [published, waiting] = [memberAdded(), memberAdded()];
  await unitOfWork(store.connection, (session) => outbox.append([published, waiting], session));
  await outbox.markPublished([published.id]);
  await store.expire(inDays(6.9));
  expect(await kept()).toBe(2);
  await store.expire(inDays(400));
  expect(await kept()).toBe(1);
  expect((await outbox.claim(10, 1_000)).map(({ key }) => key)).toEqual([waiting.id]);
});

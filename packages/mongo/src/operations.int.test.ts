import { newId, systemContext } from '@laurel/lifecycle';
import { type TestStore, testStore } from '@laurel/testing';
import { commitOnce, operationIndexes } from './operations';

const DAY_MS = 86_400_000;

let store: TestStore;
beforeEach(async () => {
  store = await testStore([operationIndexes]);
});
afterEach(() => store.drop());

test('a repeat under the same key is answered with the first reply for a week, and does nothing', async () => {
  const context = { ...systemContext({ operationId: newId() }), operationKept: true };
  let effects = 0;
  const work = () =>
    commitOnce(
      store.connection,
      async () => {
        effects += 1;
        return effects;
      },
      context,
    );
  expect([await work(), await work()]).toEqual([1, 1]);
  await store.expire(new Date(Date.now() + 6.9 * DAY_MS));
  expect(await work()).toBe(1);
  await store.expire(new Date(Date.now() + 7.1 * DAY_MS));
  expect(await work()).toBe(2);
});

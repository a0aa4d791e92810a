import { type TestStore, testStore } from '@laurel/testing';
import { unitOfWork } from './unit-of-work';

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
}, 30_000);

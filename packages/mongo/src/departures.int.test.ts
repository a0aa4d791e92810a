import { newId } from '@laurel/lifecycle';
import { type TestStore, testStore } from '@laurel/testing';
import { createDepartures, departures } from './departures';

let store: TestStore;
beforeEach(async () => {
  store = await testStore([departures]);
});
afterEach(() => store.drop());

test('all consumers of a service may note a departure at the same moment', async () => {
  const noted = createDepartures(store.connection);
  const workspaceId = newId();
  for (let round = 0; round < 10; round += 1) {
    const merge = { workspaceId, source: newId(), target: newId() };
    await Promise.all(Array.from({ length: 12 }, () => noted.noteMerge(merge)));
    const { clientId } = await noted.currentOf(workspaceId, merge.source);
    expect(clientId).toBe(merge.target);
  }
});

import { newId, systemContext } from '@laurel/lifecycle';
import { type TestStore, testStore } from '@laurel/testing';
import { createDepartures, departures } from './departures';
import { commitOnce, operations } from './operations';

let store: TestStore;
beforeEach(async () => {
  store = await testStore([departures, operations]);
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

test('what was answered of a client that had departed meanwhile forgets it, by its own name and by that of whom it became part of', async () => {
  const noted = createDepartures(store.connection);
  const [workspaceId, source, target] = [newId(), newId(), newId()];
  const database = { connection: store.connection, collections: [operations] };
  const context = { ...systemContext({ operationId: newId() }), operationKept: true };
  const answer = () =>
    commitOnce(
      store.connection,
      async () => ({ client_id: source, email: 'ada@x.example' }),
      context,
    );
  await noted.noteMerge({ workspaceId, source, target });
  await noted.noteErasure({ workspaceId, clientId: target, ending: 'deleted' });
  await answer();
  await noted.catchUp(database, { workspaceId, clientId: source });
  expect(await answer()).toEqual({ client_id: source, email: null });
});

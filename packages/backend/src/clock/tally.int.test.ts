import { createEvent } from '@laurel/events';
import { forgetSandbox, newId, noteSandbox } from '@laurel/lifecycle';
import { type TestStore, testStore } from '@laurel/testing';
import { createTally, tallyIndexes } from './tally';

let store: TestStore;
let sandbox: string;
beforeAll(async () => {
  store = await testStore([tallyIndexes]);
});
beforeEach(() => {
  sandbox = newId();
  noteSandbox(sandbox, 0);
});
afterEach(() => forgetSandbox(sandbox));
afterAll(() => store.drop());

const deleted = (workspaceId: string) =>
  createEvent('identity.workspace_deleted', {
    workspaceId,
    subject: workspaceId,
    data: { workspace_id: workspaceId },
  });

test('an event counts once for each queue, however often it is sent and handled', async () => {
  const tally = createTally(store.connection, async () => undefined);
  const event = deleted(sandbox);
  for (let copy = 0; copy < 3; copy += 1) {
    await tally.sent([event]);
    await tally.handled('a.queue', [event]);
    await tally.handled('b.queue', [event]);
  }
  const once = [{ type: 'identity.workspace_deleted', count: 1 }];
  expect(await tally.account(sandbox)).toEqual({
    sent: once,
    handled: new Map([
      ['a.queue', once],
      ['b.queue', once],
    ]),
  });
});

test('of live workspaces nothing is written', async () => {
  const tally = createTally(store.connection, async () => undefined);
  const before = await store.connection.collection('sandbox_events').countDocuments();
  await tally.sent([deleted(newId())]);
  await tally.handled('a.queue', [deleted(newId())]);
  expect(await store.connection.collection('sandbox_events').countDocuments()).toBe(before);
});

test('the end of a sandbox is announced, that of a live workspace is not', async () => {
  const ended: string[] = [];
  const tally = createTally(store.connection, async (id) => void ended.push(id));
  await tally.handled('a.queue', [deleted(newId()), deleted(sandbox)]);
  expect(ended).toEqual([sandbox]);
});

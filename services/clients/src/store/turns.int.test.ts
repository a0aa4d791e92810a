import { type DueRows, firstClaim, type TestStore, testStore } from '@laurel/testing';
import type { Room } from '@laurel/work';
import { createProcessStore, processes } from './processes';

const NOW = new Date('2026-06-01T00:00:00Z');

let store: TestStore;
beforeAll(async () => {
  store = await testStore([processes]);
});
afterAll(() => store.drop());

test('merges and erasures that were left behind: a tenant with many of them keeps none of another waiting', async () => {
  const rows: DueRows = { collection: 'processes', due: 'next_attempt_at' };
  const { due } = createProcessStore(store.connection);
  const claim = async (room: Room) => {
    const claimed = await due.claim(room, { now: NOW, leaseMs: 1_000 });
    return claimed.map(({ turn }) => ({ workspaceId: turn }));
  };
  const first = await firstClaim(store.connection, rows, { now: NOW, claim });
  expect(first).toEqual(['noisy', 'noisy', 'quiet']);
});

import { type DueRows, firstClaim, type TestStore, testStore } from '@laurel/testing';
import type { Room } from '@laurel/work';
import { collections } from '../collections';
import { createBacktestStore } from './backtests';
import { createExecutionStore } from './executions';
import { createRuleStore } from './rules';
import { createRunStore } from './runs';
import { createTriggerBacklogStore } from './trigger-backlog';

const NOW = new Date('2026-06-01T00:00:00Z');
const LEASE = { now: NOW, leaseMs: 1_000 };

let store: TestStore;
beforeAll(async () => {
  store = await testStore([...collections]);
});
afterAll(() => store.drop());

const over = <T>(create: (connection: TestStore['connection']) => T) => create(store.connection);
const kinds: [kind: string, rows: DueRows, claim: (room: Room) => Promise<readonly object[]>][] = [
  [
    'executions that were left behind',
    {
      collection: 'executions',
      due: 'take_over_at',
      row: () => ({ trigger: { metadata: '{}' }, reserved: 0, points_awarded: 0 }),
    },
    (room) => over(createExecutionStore).due.claim(room, LEASE),
  ],
  [
    'events that wait for their rules',
    { collection: 'trigger_backlog', due: 'due_at', row: () => ({ event: '{}' }) },
    (room) => over(createTriggerBacklogStore).due.claim(room, LEASE),
  ],
  [
    'backtests',
    { collection: 'backtests', due: 'leased_until' },
    (room) => over(createBacktestStore).due.claim(room, LEASE),
  ],
  [
    'runs of time-based rules',
    { collection: 'runs', due: 'leased_until' },
    (room) => over(createRunStore).due.claim(room, LEASE),
  ],
  [
    'rules whose time has come',
    { collection: 'rules', due: 'next_run_at' },
    (room) => over(createRuleStore).findDue(NOW, room),
  ],
];

test.each(kinds)(
  '%s: a tenant with many of them keeps none of another waiting',
  async (_kind, rows, claim) => {
    const first = await firstClaim(store.connection, rows, { now: NOW, claim });
    expect(first).toEqual(['noisy', 'noisy', 'quiet']);
  },
);

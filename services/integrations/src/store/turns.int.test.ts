import { newId } from '@laurel/lifecycle';
import { type DueRows, firstClaim, type TestStore, testStore } from '@laurel/testing';
import type { Room } from '@laurel/work';
import { backfills, createBackfillStore } from './backfills';
import { createImportJobStore, importJobs } from './import-jobs';
import { createInboxMessageStore, messages } from './inbox-messages';
import { outboundJobs } from './outbound-job-rows';
import { createOutboundJobStore } from './outbound-jobs';
import { createOutboundRetryStore, outboundRetries } from './outbound-retries';
import { createReplayStore, replays } from './replays';

const NOW = new Date();
const LEASE = { now: NOW, leaseMs: 1_000 };

let store: TestStore;
beforeAll(async () => {
  store = await testStore([
    backfills,
    importJobs,
    messages,
    outboundJobs,
    outboundRetries,
    replays,
  ]);
});
afterAll(() => store.drop());

const over = <T>(create: (connection: TestStore['connection']) => T) => create(store.connection);
const kinds: [kind: string, rows: DueRows, claim: (room: Room) => Promise<readonly object[]>][] = [
  [
    'messages of inboxes',
    { collection: 'inbox_messages', due: 'due_at', row: () => ({ status: 'pending' }) },
    (room) => over(createInboxMessageStore).due.claim(room, LEASE),
  ],
  [
    'imports of transactions',
    { collection: 'import_jobs', due: 'due_at' },
    (room) => over(createImportJobStore).due.claim(room, LEASE),
  ],
  [
    'what outside systems are to hear',
    {
      collection: 'outbound_jobs',
      due: 'due_at',
      by: 'integration',
      row: () => ({ provider: 'custom', client_id: newId() }),
    },
    (room) => over(createOutboundJobStore).due.claim(room, LEASE),
  ],
  [
    'walks over all clients for an outside system',
    { collection: 'outbound_backfills', due: 'due_at' },
    (room) => over(createBackfillStore).due.claim(room, LEASE),
  ],
  [
    'walks over all that an outside system refused',
    { collection: 'outbound_retries', due: 'due_at' },
    (room) => over(createOutboundRetryStore).due.claim(room, LEASE),
  ],
  [
    'replays of webhooks',
    { collection: 'webhook_replays', due: 'due_at', row: () => ({ status: 'pending' }) },
    (room) => over(createReplayStore).due.claim(room, LEASE),
  ],
];

test.each(kinds)(
  '%s: a tenant with many of them keeps none of another waiting',
  async (_kind, rows, claim) => {
    const first = await firstClaim(store.connection, rows, { now: NOW, claim });
    expect(first).toEqual(['noisy', 'noisy', 'quiet']);
  },
);

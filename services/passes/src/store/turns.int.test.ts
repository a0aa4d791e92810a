import { newId } from '@laurel/lifecycle';
import { type DueRows, firstClaim, type TestStore, testStore } from '@laurel/testing';
import type { Room } from '@laurel/work';
import { collections } from '../collections';
import { createPassUpdateStore } from './pass-updates';
import { createPassStore } from './passes';
import { createTemplateRefreshStore } from './template-refreshes';
import { createTemplateStore } from './templates';

const NOW = new Date('2026-06-01T00:00:00Z');
const LEASE = { now: NOW, leaseMs: 1_000 };

let store: TestStore;
beforeAll(async () => {
  store = await testStore(collections);
});
afterAll(() => store.drop());

const over = <T>(create: (connection: TestStore['connection']) => T) => create(store.connection);
const kinds: [kind: string, rows: DueRows, claim: (room: Room) => Promise<readonly object[]>][] = [
  [
    'pushes to phones',
    { collection: 'pass_updates', due: 'not_before', row: () => ({ pending: true }) },
    (room) => over(createPassUpdateStore).due.claim(room, LEASE),
  ],
  [
    'walks over the passes of a template',
    { collection: 'template_refreshes', due: 'not_before' },
    (room) => over(createTemplateRefreshStore).due.claim(room, LEASE),
  ],
  [
    'temporary templates that have ended',
    {
      collection: 'passes',
      due: 'template_expires_at',
      row: () => ({ barcode_value: newId() }),
    },
    (room) => over(createPassStore).listExpired(NOW, room),
  ],
  [
    'migrations of templates that were left behind',
    { collection: 'pass_templates', due: 'date_updated', row: () => ({ migrating_to: 'other' }) },
    (room) => over(createTemplateStore).listAbandoned(NOW, room),
  ],
];

test.each(kinds)(
  '%s: a tenant with many of them keeps none of another waiting',
  async (_kind, rows, claim) => {
    const first = await firstClaim(store.connection, rows, { now: NOW, claim });
    expect(first).toEqual(['noisy', 'noisy', 'quiet']);
  },
);

import type { CampaignStatus } from '@laurel/contract';
import {
  type Campaign,
  cancelled,
  changed,
  completed,
  copyName,
  executing,
  hasAudience,
  isAhead,
  launched,
  launchedInTime,
  newCampaign,
  scheduled,
  unscheduled,
} from './campaign';

const now = new Date('2026-01-15T10:00:00.000Z');
const later = new Date('2026-01-15T11:00:00.000Z');

const campaign = (fields: Partial<Campaign> = {}): Campaign => ({
  ...newCampaign({ id: 'c', workspaceId: 'w', now }, { name: 'Spring', segment_id: 's' }),
  ...fields,
});

/** Every change of status, and from which statuses it leads where. */
const MOVES: [
  name: string,
  move: (from: Campaign) => Campaign,
  allowed: Partial<Record<CampaignStatus, CampaignStatus>>,
][] = [
  [
    'schedule',
    (from) => scheduled(from, { at: later, actionCount: 1, now }),
    { draft: 'scheduled' },
  ],
  ['unschedule', (from) => unscheduled(from, now), { scheduled: 'draft' }],
  [
    'launch',
    (from) => launched(from, { actionCount: 1, now }),
    { draft: 'active', scheduled: 'active' },
  ],
  [
    'launch by its time',
    (from) => launchedInTime({ ...from, scheduled_at: now }, now),
    { scheduled: 'active' },
  ],
  [
    'execute',
    (from) => executing(from, { actionCount: 1, now }),
    { draft: 'active', active: 'active' },
  ],
  ['cancel', (from) => cancelled(from, now), { scheduled: 'cancelled', active: 'cancelled' }],
  ['change', (from) => changed(from, { name: 'Autumn' }, now), { draft: 'draft' }],
];
const STATUSES: CampaignStatus[] = ['draft', 'scheduled', 'active', 'completed', 'cancelled'];

describe.each(MOVES)('%s', (_name, move, allowed) => {
  test.each(STATUSES)(
    'of a campaign that is %s leads where the contract says, or is a conflict',
    (status) => {
      const target = allowed[status];
      if (target) expect(move(campaign({ status })).status).toBe(target);
      else
        expect(() => move(campaign({ status }))).toThrow(
          expect.objectContaining({ code: 'CONFLICT', httpStatus: 409 }),
        );
    },
  );
});

test('the refusal is a sentence, whatever the status', () => {
  expect(() => launched(campaign({ status: 'active' }), { actionCount: 1, now })).toThrow(
    'an active campaign cannot be launched',
  );
  expect(() => cancelled(campaign({ status: 'completed' }), now)).toThrow(
    'a completed campaign cannot be cancelled',
  );
  const active = campaign({ status: 'active' });
  expect(() => scheduled(active, { at: later, actionCount: 1, now })).toThrow(
    'an active campaign cannot be scheduled',
  );
  expect(() => unscheduled(active, now)).toThrow('an active campaign cannot be unscheduled');
  const ahead = campaign({ status: 'scheduled' });
  expect(() => executing(ahead, { actionCount: 1, now })).toThrow(
    'a scheduled campaign cannot be executed',
  );
});

test.each([
  ['an audience', { segment_id: null }, 1, 'segment_id'],
  ['an action', {}, 0, 'actions'],
])('without %s nothing is scheduled, launched or executed', (_what, fields, actionCount, field) => {
  const draft = campaign(fields);
  const refused = expect.objectContaining({
    code: 'INVALID_PAYLOAD',
    problems: [expect.objectContaining({ field })],
  });
  expect(() => scheduled(draft, { at: later, actionCount, now })).toThrow(refused);
  expect(() => launched(draft, { actionCount, now })).toThrow(refused);
  expect(() => executing(draft, { actionCount, now })).toThrow(refused);
});

test('a campaign is scheduled for the future: for a time of its own, or the one of its draft', () => {
  const at = (given: Date | null, own: Date | null) =>
    scheduled(campaign({ scheduled_at: own }), { at: given, actionCount: 1, now }).scheduled_at;
  expect(at(later, null)).toEqual(later);
  expect(at(null, later)).toEqual(later);
  for (const [given, own] of [
    [now, null],
    [null, null],
    [null, now],
  ] as const)
    expect(() => at(given, own)).toThrow(
      expect.objectContaining({
        httpStatus: 400,
        problems: [expect.objectContaining({ field: 'scheduled_at' })],
      }),
    );
});

test('a segment and a list of clients exclude each other, and no client is on the list twice', () => {
  const clients = { manual_client_ids: ['a', 'b', 'a'] };
  expect(changed(campaign({ segment_id: null }), clients, now).manual_client_ids).toEqual([
    'a',
    'b',
  ]);
  expect(() => changed(campaign(), clients, now)).toThrow(
    expect.objectContaining({
      httpStatus: 400,
      problems: [expect.objectContaining({ field: 'manual_client_ids' })],
    }),
  );
  const moved = changed(campaign(), { segment_id: null, ...clients }, now);
  expect(moved).toMatchObject({ segment_id: null, manual_client_ids: ['a', 'b'] });
});

test.each(STATUSES)('a campaign that is %s is ahead only before it runs', (status) => {
  expect(isAhead(campaign({ status }))).toBe(status === 'draft' || status === 'scheduled');
});

test('a list of clients is an audience, and so is a segment', () => {
  expect(hasAudience(campaign({ segment_id: null }))).toBe(false);
  expect(hasAudience(campaign({ segment_id: null, manual_client_ids: ['a'] }))).toBe(true);
  expect(hasAudience(campaign())).toBe(true);
});

test('a campaign that is completed keeps all that it was, and says since when', () => {
  const active = campaign({ status: 'active', started_at: now });
  expect(completed(active, later)).toEqual({
    ...active,
    status: 'completed',
    completed_at: later,
    date_updated: later,
  });
});

test('the name of a copy is no longer than a name may be', () => {
  expect(copyName('Spring')).toBe('Spring (copy)');
  expect(copyName('x'.repeat(255))).toHaveLength(255);
  expect(copyName(`${'x'.repeat(247)}🎂`)).toBe(`${'x'.repeat(247)} (copy)`);
});

import { compareRules, formulasOf, isWithinWindow, newRule, type Rule, zoneOf } from './rule';

const now = new Date('2026-01-15T10:00:00.000Z');
const rule = (fields: Partial<Rule> = {}): Rule => ({
  ...newRule(
    { id: 'r', workspaceId: 'w', now },
    { name: 'A', trigger_type: 'transaction', effects: [] },
  ),
  ...fields,
});
const moved = (ms: number) => new Date(now.getTime() + ms);

test('a rule of which only what it must have is said is on, unlimited and first among equals', () => {
  expect(rule()).toEqual({
    id: 'r',
    workspace_id: 'w',
    name: 'A',
    description: null,
    active: true,
    priority: 0,
    trigger_type: 'transaction',
    trigger_config: {},
    conditions: [],
    effects: [],
    limits: {},
    activity_window: {},
    expiry_override: null,
    date_created: now,
    date_updated: now,
  });
});

test('the time zone is that of the schedule, for a rule that has one, else that of the workspace', () => {
  const schedule = { cron: '0 8 * * *', timezone: 'Asia/Tokyo' };
  const zone = (trigger_type: Rule['trigger_type'], given?: Rule['trigger_config']['schedule']) =>
    zoneOf({ trigger_type, trigger_config: given ? { schedule: given } : {} }, 'Europe/Berlin');
  expect(zone('time_based', schedule)).toBe('Asia/Tokyo');
  expect(zone('time_based', { cron: '0 8 * * *' })).toBe('Europe/Berlin');
  expect(zone('time_based')).toBe('Europe/Berlin');
  expect(zone('transaction', schedule)).toBe('Europe/Berlin');
});

test('a window holds from its first to its last moment, and is open where it names none', () => {
  const within = (start_date: Date | null, end_date: Date | null) =>
    isWithinWindow(
      rule({
        activity_window: {
          start_date: start_date?.toISOString() ?? null,
          end_date: end_date?.toISOString() ?? null,
        },
      }),
      now,
    );
  expect(isWithinWindow(rule(), now)).toBe(true);
  expect(within(null, null)).toBe(true);
  expect(within(now, now)).toBe(true);
  expect(within(moved(1), null)).toBe(false);
  expect(within(moved(-1), null)).toBe(true);
  expect(within(null, moved(-1))).toBe(false);
  expect(within(null, moved(1))).toBe(true);
});

test('every formula of a rule is found at its place, with what it must give', () => {
  const conditions: Rule['conditions'] = [
    { type: 'segment', segment_id: 's' },
    { type: 'expression', expression: 'a' },
  ];
  const earn = { type: 'earn_points' as const, wallet_type_code: 'beans' };
  const effects: Rule['effects'] = [
    { ...earn, amount_type: 'fixed', amount: 1, amount_expression: 'not asked' },
    { ...earn, amount_type: 'expression', amount_expression: 'b' },
    { ...earn, amount_type: 'expression' },
    { type: 'update_client_field', field_name: 'source', value_expression: 'c' },
    { type: 'give_reward', reward_id: 'r' },
  ];
  expect(formulasOf({ conditions, effects })).toEqual([
    { field: 'conditions.1.expression', expression: 'a', expected: 'boolean' },
    { field: 'effects.1.amount_expression', expression: 'b', expected: 'number' },
    { field: 'effects.2.amount_expression', expression: '', expected: 'number' },
    { field: 'effects.3.value_expression', expression: 'c', expected: null },
  ]);
});

test('rules run by priority, the lowest first, and those of one priority by their ids', () => {
  const [a, b, c] = [
    { id: 'c', priority: 0 },
    { id: 'a', priority: 1 },
    { id: 'b', priority: 1 },
  ] as const;
  for (const mixed of [
    [a, b, c],
    [c, b, a],
    [b, c, a],
    [c, a, b],
  ])
    expect([...mixed].sort(compareRules)).toEqual([a, b, c]);
});

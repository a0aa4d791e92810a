import { actionFigures, errorAfter, figuresOf, type MemberGroup, settledStatus } from './audience';

test.each([
  [{}, 'pending'],
  [{ a: 'unreachable' }, 'unreachable'],
  [{ a: 'unreachable', b: 'completed' }, 'completed'],
  [{ a: 'completed', b: 'failed' }, 'failed'],
  [{ a: 'unreachable', b: 'failed' }, 'failed'],
] as const)('after %j a member is %s', (outcomes, status) => {
  expect(settledStatus(outcomes)).toBe(status);
});

test.each([
  ['a failure is noted', {}, null, 'failed', 'no stock', 'no stock'],
  ['a second one too', { a: 'failed' }, 'no stock', 'failed', 'too late', 'no stock; too late'],
  ['a success does not hide it', { a: 'failed' }, 'no stock', 'completed', null, 'no stock'],
  [
    'being out of reach does not hide it',
    { a: 'failed' },
    'no stock',
    'unreachable',
    'no pass',
    'no stock',
  ],
  ['being out of reach is noted', {}, null, 'unreachable', 'no pass', 'no pass'],
  [
    'but not of one who was reached otherwise',
    { a: 'completed' },
    null,
    'unreachable',
    'no pass',
    null,
  ],
  [
    'nor is what was out of reach before',
    { a: 'unreachable' },
    'no pass',
    'failed',
    'late',
    'late',
  ],
  ['nor once one is', { a: 'unreachable' }, 'no pass', 'completed', null, null],
] as const)('%s', (_what, outcomes, error_message, result, error, message) => {
  expect(errorAfter({ outcomes, error_message }, result, error)).toBe(message);
});

test('members are counted by status, and the outcomes of each action', () => {
  const group = (part: Partial<MemberGroup>): MemberGroup => ({
    status: 'completed',
    outcomes: {},
    count: 1,
    rewardsIssued: 0,
    ...part,
  });
  const figures = figuresOf([
    group({ count: 3, outcomes: { a: 'completed', b: 'completed' }, rewardsIssued: 6 }),
    group({
      count: 2,
      status: 'failed',
      outcomes: { a: 'failed', b: 'completed' },
      rewardsIssued: 1,
    }),
    group({ count: 4, status: 'unreachable', outcomes: { b: 'unreachable' } }),
  ]);
  expect(figures.byStatus).toEqual({
    pending: 0,
    processing: 0,
    completed: 3,
    failed: 2,
    unreachable: 4,
  });
  expect(figures.rewardsIssued).toBe(7);
  expect(Object.fromEntries(figures.byAction)).toEqual({
    a: { completed: 3, failed: 2, unreachable: 0 },
    b: { completed: 5, failed: 0, unreachable: 4 },
  });
});

test('actions are counted by their state, those in progress as pending', () => {
  expect(actionFigures(['pending', 'in_progress', 'completed', 'failed', 'completed'])).toEqual({
    actions_total: 5,
    actions_pending: 2,
    actions_completed: 2,
    actions_failed: 1,
  });
});

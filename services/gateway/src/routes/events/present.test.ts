import { presentAggregates } from './present';

const asked = { workspace_id: 'w', function: 'count', group_by_pass: false };
const [from_date, to_date] = ['2026-01-01T00:00:00.000Z', '2026-01-03T00:00:00.000Z'];
const results = [{ pass_id: null, value: 4, buckets: [] }] as never;
const windowOf = (more: object) =>
  presentAggregates({ ...asked, ...more }, { results, from_date, to_date });

test('an aggregate names the window that was asked for', () => {
  expect(windowOf({ time_window: 'week' })).toMatchObject({ time_window: 'week', from_date });
});

test.each([{ custom_days: 2 }, { from_date }, { to_date }])(
  'an aggregate does not name a window that %j won over',
  (more) => {
    const answer = windowOf({ time_window: 'week', ...more });
    expect(answer).toMatchObject({ time_window: null, from_date, to_date });
  },
);

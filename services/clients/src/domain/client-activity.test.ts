import { AMOUNT_MAX, toDecimal, toUnits } from '@laurel/values/amount';
import { activityOf, type Deed } from './client-activity';

const deed = (client_id: string, day: number, rest: Partial<Deed> = {}): Deed => ({
  client_id,
  event_category: 'transaction',
  event_type: 'purchase',
  event_timestamp: new Date(day * 1_000),
  source: 'api',
  amount: toUnits(10),
  ...rest,
});
const gift = { event_category: 'loyalty', event_type: 'reward_redeemed', amount: toUnits(5) };
const how = { categories: ['transaction', 'engagement'], dayStarts: [1_000, 2_000, 3_000] };

test('a client counts once a day and once in all, refunds lower what was spent and are no visit', () => {
  const { whole, days } = activityOf(
    [
      deed('a', 1),
      deed('a', 1.5),
      deed('b', 2),
      deed('a', 3),
      deed('c', 3, { event_type: 'refund', amount: toUnits(2.5) }),
    ],
    how,
  );
  expect(whole).toEqual({ returned: 2, redeemed: 0, spent: toUnits(37.5) });
  expect(days.map(({ returned, spent }) => [returned, spent])).toEqual([
    [1, toUnits(20)],
    [1, toUnits(10)],
    [1, toUnits(7.5)],
  ]);
});

test('what a campaign did itself is no sign that anybody came', () => {
  const { whole } = activityOf(
    [
      deed('a', 1, { ...gift, source: 'campaign' }),
      deed('b', 1, { ...gift, source: 'self_serve' }),
      deed('c', 1, { event_category: 'engagement', source: 'campaign:1', amount: null }),
    ],
    how,
  );
  expect(whole).toEqual({ returned: 0, redeemed: 1, spent: toUnits(0) });
});

test('what a customer did counts, also where its source only begins as that of a campaign does', () => {
  const { whole } = activityOf([deed('a', 1, { source: 'campaign-landing' })], how);
  expect(whole.returned).toBe(1);
});

test('what a large audience spends may be more than one amount can be', () => {
  const most = { amount: toUnits(AMOUNT_MAX) };
  const { whole } = activityOf([deed('a', 1, most), deed('b', 2, most)], how);
  expect(toDecimal(whole.spent)).toBe(2 * AMOUNT_MAX);
});

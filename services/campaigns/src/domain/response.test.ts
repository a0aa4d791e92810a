import { AMOUNT_MAX, toDecimal, toUnits, type Units } from '@laurel/values/amount';
import { addResponses, noResponse } from './response';

const figures = (returned: number, redeemed: number, spent: number) => ({
  returned,
  redeemed,
  spent: toUnits(spent),
});

test('before anybody came, there is nothing in all and on each day', () => {
  const none = { returned: 0, redeemed: 0, spent: 0 as Units };
  expect(noResponse(2)).toEqual({ whole: none, days: [none, none] });
});

test('two groups are added day by day; a day that one of them does not know is the other alone', () => {
  const one = { whole: figures(3, 2, 0.1), days: [figures(1, 1, 0.1), figures(2, 1, 0)] };
  const other = { whole: figures(5, 1, 0.2), days: [figures(4, 0, 0.2)] };
  expect(addResponses(one, other)).toEqual({
    whole: figures(8, 3, 0.3),
    days: [figures(5, 1, 0.3), figures(2, 1, 0)],
  });
  expect(addResponses(one, noResponse(2))).toEqual(one);
});

test('what groups spend together may be more than one amount can be', () => {
  const most = { whole: figures(1, 0, AMOUNT_MAX), days: [] };
  expect(toDecimal(addResponses(most, most).whole.spent)).toBe(2 * AMOUNT_MAX);
});

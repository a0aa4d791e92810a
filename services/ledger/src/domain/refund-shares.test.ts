import type { Units } from '@laurel/values/amount';
import fc from 'fast-check';
import { spreadOverLeft } from './refund-shares';

const units = (...numbers: number[]) => numbers as Units[];
const spread = (due: number, ...left: number[]) => spreadOverLeft(due as Units, units(...left));

test('what is due is divided by what is left of each earn', () => {
  expect(spread(6, 10, 20, 30)).toEqual([1, 2, 3]);
  expect(spread(30, 0, 20, 20)).toEqual([0, 15, 15]);
  expect(spread(100, 10, 20)).toEqual([10, 20]);
  expect(spread(5, 0, 0)).toEqual([0, 0]);
  expect(spread(5)).toEqual([]);
});

test('together earns give what is due or all that is left, and none more than it has', () => {
  const amount = fc.nat(10_000_000);
  fc.assert(
    fc.property(amount, fc.array(amount, { minLength: 1, maxLength: 8 }), (due, left) => {
      const shares = spread(due, ...left);
      const sum = (numbers: readonly number[]) => numbers.reduce((so, one) => so + one, 0);
      expect(sum(shares)).toBe(Math.min(due, sum(left)));
      shares.forEach((share, at) => {
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(left[at]!);
      });
    }),
    { seed: 29 },
  );
});

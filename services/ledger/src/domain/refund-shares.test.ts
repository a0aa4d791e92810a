import type { Units } from '@laurel/values/amount';
import fc from 'fast-check';
import {
  evenedOut,
  pendingInstead,
  shareAfter,
  spreadOverLeft,
  WHOLE,
  wholeIfNearly,
  withinRest,
} from './refund-shares';

const units = (...numbers: number[]) => numbers as Units[];
const sum = (numbers: readonly number[]) => numbers.reduce((so, one) => so + one, 0);
const spread = (due: number, ...left: number[]) => spreadOverLeft(due as Units, units(...left));

const HALF = WHOLE / 2;
const THIRD = Math.floor(WHOLE / 3);

test('a share is cut to what others left of the whole, but not for what rounding may add', () => {
  expect(withinRest(0, THIRD)).toBe(THIRD);
  expect(withinRest(HALF, HALF)).toBe(HALF);
  expect(withinRest(HALF, HALF + 1_000)).toBe(HALF + 1_000);
  expect(withinRest(HALF, HALF + 1_001)).toBe(HALF);
  expect(withinRest(WHOLE, HALF)).toBe(0);
});

test('shares that lack no more than rounding took are the whole', () => {
  expect(wholeIfNearly(2 * THIRD, THIRD)).toBe(WHOLE - 2 * THIRD);
  expect(wholeIfNearly(0, WHOLE - 1_000)).toBe(WHOLE);
  expect(wholeIfNearly(0, WHOLE - 1_001)).toBe(WHOLE - 1_001);
  expect(wholeIfNearly(HALF, THIRD)).toBe(THIRD);
});

test('shares one after the other take back what each is of an earn, and together all of it', () => {
  const earned = 1_000_001 as Units;
  const thirds = [0, THIRD, 2 * THIRD].map((before) => shareAfter(before, earned, THIRD));
  expect(sum(thirds)).toBe(earned);
  for (const third of thirds) expect(Math.abs(third - earned / 3)).toBeLessThan(1);
  expect(shareAfter(WHOLE, earned, THIRD)).toBe(0);
});

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
      expect(sum(shares)).toBe(Math.min(due, sum(left)));
      shares.forEach((share, at) => {
        expect(share).toBeGreaterThanOrEqual(0);
        expect(share).toBeLessThanOrEqual(left[at]!);
      });
    }),
    { seed: 29 },
  );
});

const lot = (remaining: number, isPending = false) => ({
  remaining: remaining as Units,
  isPending,
});
const instead = (dues: number[], ...lots: ReturnType<typeof lot>[]) =>
  pendingInstead(units(...dues), lots);

test('pending points of a purchase stand in for those of its earns that are spent', () => {
  expect(instead([50, 50], lot(0), lot(100, true))).toEqual([0, 100]);
  expect(instead([50, 50], lot(20), lot(100, true))).toEqual([20, 80]);
  expect(instead([50, 50], lot(0), lot(70, true))).toEqual([30, 70]);
});

test('a share stays with an earn whose lot holds it, and with one that no pending points stand in for', () => {
  expect(instead([50, 50], lot(50), lot(100, true))).toEqual([50, 50]);
  expect(instead([50, 50], lot(0), lot(100))).toEqual([50, 50]);
  expect(instead([50], lot(20, true))).toEqual([50]);
  expect(instead([])).toEqual([]);
});

test('pending points that stand in leave the sum as it is, and give no more than there is', () => {
  const amount = fc.nat(10_000_000);
  const earn = fc.record({ due: amount, remaining: amount, isPending: fc.boolean() });
  fc.assert(
    fc.property(fc.array(earn, { maxLength: 8 }), (earns) => {
      const dues = earns.map(({ due }) => due);
      const shares = instead(dues, ...earns.map((each) => lot(each.remaining, each.isPending)));
      expect(sum(shares)).toBe(sum(dues));
      const lacks = (at: number) => shares[at]! > earns[at]!.remaining;
      const spare = (at: number) => earns[at]!.isPending && shares[at]! < earns[at]!.remaining;
      const all = earns.map((_, at) => at);
      expect(all.some(lacks) && all.some(spare)).toBe(false);
      for (const at of all)
        if (shares[at]! > dues[at]!) expect(shares[at]).toBeLessThanOrEqual(earns[at]!.remaining);
    }),
    { seed: 29 },
  );
});

test('earns that gave for others before owe less, and those others as much more', () => {
  const even = (...owed: number[]) => evenedOut(units(...owed));
  expect(even(75, -25)).toEqual([50, 0]);
  expect(even(10, -25, 30)).toEqual([0, 0, 15]);
  expect(even(10, 20)).toEqual([10, 20]);
});

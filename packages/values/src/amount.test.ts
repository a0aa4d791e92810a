import fc from 'fast-check';
import {
  AMOUNT_MAX,
  AmountRangeError,
  add,
  isAmount,
  negate,
  prorate,
  subtract,
  toDecimal,
  total,
  totalOf,
  toUnits,
  type Units,
  unitsOf,
  ZERO,
} from './amount';

const decimals = fc
  .integer({ min: -1_000_000_000, max: 1_000_000_000 })
  .map((units) => units / 10_000);

describe('amounts are exact', () => {
  test('adding 0.1 ten times gives exactly 1', () => {
    const tenth = toUnits(0.1);
    const sum = add(...Array.from({ length: 10 }, () => tenth));
    expect(toDecimal(sum)).toBe(1);
  });

  test('every decimal with four places survives the way to units and back', () => {
    fc.assert(
      fc.property(decimals, (decimal) => expect(toDecimal(toUnits(decimal))).toBe(decimal)),
    );
  });

  test('what is added can be taken away without a trace', () => {
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(subtract(add(toUnits(a), toUnits(b)), toUnits(b))).toBe(toUnits(a));
      }),
    );
  });

  test.each([0.00001, Number.NaN, Number.POSITIVE_INFINITY, AMOUNT_MAX + 1, -AMOUNT_MAX - 1])(
    '%p is no amount',
    (value) => {
      expect(isAmount(value)).toBe(false);
      expect(() => toUnits(value)).toThrow(AmountRangeError);
    },
  );

  test.each([0, -0, 0.0001, 1.1, AMOUNT_MAX, -AMOUNT_MAX, 99_999_999_999.9999])(
    '%p is an amount',
    (value) => {
      expect(isAmount(value)).toBe(true);
    },
  );

  test('a sum that leaves the range is refused instead of rounded', () => {
    expect(() => add(toUnits(AMOUNT_MAX), toUnits(0.0001))).toThrow(AmountRangeError);
  });

  test('negating zero gives plain zero', () => {
    expect(Object.is(negate(ZERO), 0)).toBe(true);
  });

  test('stored values that are no whole number are refused', () => {
    expect(() => unitsOf(1.5)).toThrow(AmountRangeError);
  });
});

describe('prorate', () => {
  test('rounds half up to a whole unit', () => {
    expect(prorate(3 as Units, 1, 2)).toBe(2);
    expect(prorate(-3 as Units, 1, 2)).toBe(-1);
  });

  test('stays exact where a double would not', () => {
    expect(prorate(toUnits(99_999_999_999.9999), 999_999, 1_000_000)).toBe(999_998_999_999_999);
  });

  test('never leaves the whole for ratios up to one', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e15 }),
        fc.integer({ min: 0, max: 1e6 }),
        (whole, part) => {
          const share = prorate(whole as Units, part, 1_000_000);
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(whole);
        },
      ),
    );
  });

  test.each([
    [1.5, 2],
    [1, 0],
    [1, -1],
  ])('%p/%p is no ratio', (numerator, denominator) => {
    expect(() => prorate(1 as Units, numerator, denominator)).toThrow(AmountRangeError);
  });
});

test('what many wallets come to is known beyond the range of one amount, to the digits that a number has', () => {
  const full = toUnits(AMOUNT_MAX);
  expect(toDecimal(total(full, full, toUnits(0.0001)))).toBe(200_000_000_000.0001);
  expect(totalOf([AMOUNT_MAX, 0.1, 0.2])).toBe(100_000_000_000.3);
  const many = toDecimal(total(...Array.from({ length: 20 }, () => full)));
  expect(many).toBe(20 * AMOUNT_MAX);
});

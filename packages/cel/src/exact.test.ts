import { propertySettings } from '@laurel/testing';
import fc from 'fast-check';
import { compileExpression, createBoundedEnvironment } from './index';

const environment = createBoundedEnvironment()
  .registerVariable('amount', 'double')
  .registerVariable('other', 'double');
const CENTS = Array.from({ length: 100_000 }, (_, index) => index + 1);
/** Enough of them for what is put together from parts that were tried on all; 7 is prime to 100. */
const EVERY_SEVENTH = CENTS.filter((cents) => cents % 7 === 0);

/** Half away from zero, in whole numbers. */
const halfUp = (value: number, by: number) => Math.floor((2 * value + by) / (2 * by));

// Each formula beside the same question in whole cents, which cannot drift.
type Formula = [string, (cents: number) => unknown];
const ALONE: Formula[] = [
  ['floor(amount * 100)', (cents) => cents],
  ['ceil(amount * 100)', (cents) => cents],
  ['floor(amount)', (cents) => Math.floor(cents / 100)],
  ['ceil(amount)', (cents) => Math.ceil(cents / 100)],
  ['round(amount, 1)', (cents) => halfUp(cents, 10) / 10],
  ['floor(percent(amount, 10) * 100)', (cents) => Math.floor(cents / 10)],
  ['amount * 3 >= 0.9', (cents) => cents >= 30],
];
const TOGETHER: Formula[] = [
  ['round(amount)', (cents) => halfUp(cents, 100)],
  ['floor(amount / 0.1)', (cents) => Math.floor(cents / 10)],
  ['floor(percent(amount, 7.5) * 1000)', (cents) => Math.floor((cents * 75) / 100)],
  ['round(percent(amount, 15), 2)', (cents) => halfUp(cents * 15, 100) / 100],
  ['floor(amount * 1.1 * 1000)', (cents) => cents * 11],
  ['floor(amount / 3 * 3 * 100)', (cents) => cents],
  ['floor((amount - 0.01) * 100)', (cents) => cents - 1],
  ['amount + 0.2 - 0.2 == amount', () => true],
  ['amount * 3 == 0.9', (cents) => cents === 30],
  ['amount * 1.1 > 110', (cents) => cents > 10_000],
  ['amount % 0.05 == 0', (cents) => cents % 5 === 0],
];

test.each(ALONE)('%s is exact for every amount from 0.01 to 1 000.00', (expression, reference) => {
  expect(wrongIn(CENTS, expression, reference)).toEqual([]);
});

test.each(TOGETHER)('%s is exact for amounts up to 1 000.00', (expression, reference) => {
  expect(wrongIn(EVERY_SEVENTH, expression, reference)).toEqual([]);
});

function wrongIn(amounts: number[], expression: string, reference: Formula[1]): number[] {
  const { run } = compileExpression(environment, expression);
  return amounts.filter((cents) => run({ amount: cents / 100 }) !== reference(cents));
}

test('sums, differences and products of decimals are what whole numbers say', () => {
  const decimal = fc.integer({ min: -10_000_000, max: 10_000_000 });
  const sum = compileExpression(environment, 'amount + other');
  const difference = compileExpression(environment, 'amount - other');
  const product = compileExpression(environment, 'amount * other');
  fc.assert(
    fc.property(decimal, decimal, (a, b) => {
      const values = { amount: a / 1_000, other: b / 1_000 };
      expect(sum.run(values)).toBe((a + b) / 1_000);
      expect(difference.run(values)).toBe((a - b) / 1_000);
      expect(product.run(values)).toBe(Number(`${BigInt(a) * BigInt(b)}e-6`) + 0);
    }),
    propertySettings(2_000, 42),
  );
});

import { propertySettings } from '@laurel/testing';
import fc from 'fast-check';
import { compileExpression, createBoundedEnvironment } from './index';

/** A decimal as a whole number of 1 / 10^SCALE: exact whatever is done to it here. */
const SCALE = 30;
const ONE = 10n ** BigInt(SCALE);
const VARIABLES = ['amount', 'other', 'third'] as const;
type Values = Record<(typeof VARIABLES)[number], number>;

/** A formula, and the same question asked of whole numbers. */
interface Formula {
  text: string;
  of(values: Values): bigint;
}

const environment = VARIABLES.reduce(
  (known, name) => known.registerVariable(name, 'double'),
  createBoundedEnvironment(),
);

/** What no double can hold is beyond what formulas promise (15 digits). */
class TooLong extends Error {}
function held(scaled: bigint): bigint {
  const digits = String(scaled < 0n ? -scaled : scaled).replace(/0+$/, '');
  if (digits.length > 15) throw new TooLong();
  return scaled;
}

const scaled = (cents: number): bigint => (BigInt(cents) * ONE) / 100n;
const toNumber = (value: bigint): number => Number(`${value}e-${SCALE}`) + 0;
function floorOf(value: bigint, by: bigint): bigint {
  const rest = ((value % by) + by) % by;
  return value - rest;
}
/** Half away from zero. */
function rounded(value: bigint, places: number): bigint {
  const by = ONE / 10n ** BigInt(places);
  const size = value < 0n ? -value : value;
  const up = floorOf(size + by / 2n, by);
  return value < 0n ? -up : up;
}
function times(a: bigint, b: bigint): bigint {
  if ((a * b) % ONE !== 0n) throw new TooLong();
  return held((a * b) / ONE);
}
const smaller = (a: bigint, b: bigint) => (a < b ? a : b);
const larger = (a: bigint, b: bigint) => (a > b ? a : b);

type Pair = [string, (a: bigint, b: bigint) => bigint];
const PAIRS: Record<string, Pair> = {
  sum: ['(A + B)', (a, b) => held(a + b)],
  difference: ['(A - B)', (a, b) => held(a - b)],
  product: ['(A * B)', times],
  smaller: ['min(A, B)', smaller],
  larger: ['max(A, B)', larger],
  percent: ['percent(A, B)', (a, b) => times(times(a, b), ONE / 100n)],
  where: ['(A < B ? A : B * 2.0)', (a, b) => (a < b ? a : held(b * 2n))],
};
type Single = [string, (a: bigint) => bigint];
const SINGLES: Single[] = [
  ['floor(A)', (a) => floorOf(a, ONE)],
  ['ceil(A)', (a) => -floorOf(-a, ONE)],
  ['round(A)', (a) => rounded(a, 0)],
  ['round(A, 2)', (a) => rounded(a, 2)],
  ['clamp(A, 0, 100)', (a) => smaller(larger(a, 0n), 100n * ONE)],
  ['sum([A, 0.1, 0.2])', (a) => held(a + (ONE * 3n) / 10n)],
];

const written = (cents: number): string => (cents / 100).toFixed(2);
const literal = fc
  .integer({ min: 0, max: 20_000 })
  .map((cents): Formula => ({ text: written(cents), of: () => scaled(cents) }));
const variable = fc
  .constantFrom(...VARIABLES)
  .map((name): Formula => ({ text: name, of: (values) => scaled(Math.round(values[name] * 100)) }));

const { formula } = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    variable,
    literal,
    fc.tuple(tie('formula'), tie('formula'), fc.constantFrom(...Object.values(PAIRS))).map(
      ([a, b, [text, of]]): Formula => ({
        text: text.replaceAll('A', a.text).replaceAll('B', b.text),
        of: (values) => of(a.of(values), b.of(values)),
      }),
    ),
    fc.tuple(tie('formula'), fc.constantFrom(...SINGLES)).map(
      ([a, [text, of]]): Formula => ({
        text: text.replaceAll('A', a.text),
        of: (values) => of(a.of(values)),
      }),
    ),
  ),
}));
const cents = fc.integer({ min: -100_000, max: 100_000 }).map((each) => each / 100);
const anyValues = fc.record({ amount: cents, other: cents, third: cents });

test('any formula over any amounts says what whole numbers say, and compares as they do', () => {
  let compared = 0;
  fc.assert(
    fc.property(formula, formula, anyValues, (a, b, values) => {
      let wanted: [bigint, bigint];
      try {
        wanted = [a.of(values), b.of(values)];
      } catch (error) {
        if (error instanceof TooLong) return;
        throw error;
      }
      const run = (text: string) => compileExpression(environment, text).run({ ...values });
      const [left, right] = wanted;
      expect(run(a.text)).toBe(toNumber(left));
      expect(run(`${a.text} < ${b.text}`)).toBe(left < right);
      expect(run(`${a.text} == ${b.text}`)).toBe(left === right);
      expect(run(`${a.text} >= ${b.text}`)).toBe(left >= right);
      compared += 1;
    }),
    propertySettings(1_000, 42),
  );
  // A reference that gave up on most formulas would prove little.
  expect(compared).toBeGreaterThan(500);
});

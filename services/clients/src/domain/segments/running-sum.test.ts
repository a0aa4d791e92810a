import { AMOUNT_MAX, toUnits, type Units } from '@laurel/values/amount';
import fc from 'fast-check';
import { type Came, EPOCH, STEPS_MAX, type Step, stepsOf, withAmount } from './running-sum';

const hour = (n: number) => new Date(n * 3_600_000);
const sumSince = (steps: readonly Step[], since: Date) =>
  steps.find(({ at, after }) => after < since && since <= at)?.sum ?? 0;
const told = (hours: readonly number[]) =>
  hours.reduce<Step[]>((steps, n) => withAmount(steps, hour(n), toUnits(1)), []);

/** One a unit at each hour from `first` on, as many as are kept. */
const full = (first: number): Step[] =>
  Array.from({ length: STEPS_MAX }, (_, n) => {
    const after = n === STEPS_MAX - 1 ? EPOCH : hour(first + STEPS_MAX - 2 - n);
    return { at: hour(first + STEPS_MAX - 1 - n), after, sum: toUnits(n + 1) };
  });

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = Date.parse('2026-03-10T12:34:56.789Z');
/** By how much the beginning of a period may be off (ADR 7). */
const precisionMs = (days: number): number => {
  if (days <= 2) return HOUR_MS;
  return days <= 100 ? DAY_MS : (days * DAY_MS) / 40;
};
/** Whether the steps say of a period what came in it, but for what came as near to its beginning as was promised. */
function expectPrecise(steps: readonly Step[], all: readonly Came[], days: number): void {
  const begin = NOW - days * DAY_MS;
  const isNear = ({ at }: Came) => Math.abs(Number(at) - begin) < precisionMs(days);
  const total = (some: readonly Came[]) => some.reduce((sum, { amount }) => sum + amount, 0);
  const sure = total(all.filter((one) => Number(one.at) >= begin && !isNear(one)));
  const near = all.filter(isNear);
  const sum = sumSince(steps, new Date(begin)) - sure;
  expect(sum).toBeGreaterThanOrEqual(total(near.filter(({ amount }) => amount < 0)));
  expect(sum).toBeLessThanOrEqual(total(near.filter(({ amount }) => amount > 0)));
}
const exactlyFor = (all: readonly Came[], days: number): boolean =>
  sumSince(stepsOf(all), new Date(NOW - days * DAY_MS)) ===
  all.reduce((sum, one) => sum + (Number(one.at) < NOW - days * DAY_MS ? 0 : one.amount), 0);

const WINDOWS = [1, 2, 3, 7, 30, 90, 100, 101, 180, 365, 400, 730, 1_000, 2_000, 3_650];
/** Purchases and smaller refunds of some years, often many at once and often none for long. */
const history = (most: number) =>
  fc
    .tuple(
      fc.integer({ min: 1, max: 4_200 }),
      fc.array(
        fc.tuple(
          fc.integer({ min: 0, max: 1_000_000 }),
          fc.integer({ min: 1, max: 5 }),
          fc.integer({ min: -9, max: 99 }).filter((amount) => amount !== 0),
        ),
        { minLength: most / 2, maxLength: most, size: 'max' },
      ),
    )
    .map(([days, things]) =>
      things.map(([place, bend, amount]): Came => {
        // The higher the power, the more of it lies near to now.
        const agoMs = (place / 1_000_000) ** bend * days * DAY_MS;
        return { at: new Date(Math.floor(NOW - agoMs)), amount: toUnits(amount) };
      }),
    );

test('a sum over any period is what came since its beginning, within what is promised of that, however much came', () => {
  fc.assert(
    fc.property(history(2_000), (all) => {
      const steps = stepsOf(all);
      expect(steps.length).toBeLessThanOrEqual(STEPS_MAX);
      for (const days of WINDOWS) expectPrecise(steps, all, days);
    }),
    { numRuns: 20, endOnFailure: true },
  );
});

test('so it is where everything came one by one, in whatever order', () => {
  fc.assert(
    fc.property(history(1_200), fc.boolean(), (things, isInOrder) => {
      const all = isInOrder ? things.toSorted((a, b) => Number(a.at) - Number(b.at)) : things;
      const steps = all.reduce<Step[]>((sum, { at, amount }) => withAmount(sum, at, amount), []);
      expect(steps.length).toBeLessThanOrEqual(STEPS_MAX);
      for (const days of WINDOWS) expectPrecise(steps, all, days);
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

test('the points of five years are not those of the last one', () => {
  // Three rules reward each of four purchases a week.
  const visits = Array.from({ length: 5 * 208 }, (_, n) => NOW - n * 1.75 * DAY_MS);
  const all = visits.flatMap((visit) =>
    [0, 1, 2].map((rule) => ({ at: new Date(visit - rule), amount: toUnits(10) })),
  );
  const year = sumSince(stepsOf(all), new Date(NOW - 365 * DAY_MS));
  expect(year).toBeGreaterThanOrEqual(toUnits(209 * 30));
  expect(year).toBeLessThanOrEqual(toUnits(215 * 30));
  expect(exactlyFor(all, 30)).toBe(true);
});

test('of something every hour for ten years no period is far off', () => {
  const all = Array.from({ length: 3_700 * 24 }, (_, n) => ({
    at: new Date(NOW - n * HOUR_MS - 1),
    amount: toUnits(1),
  }));
  const steps = stepsOf(all);
  expect(steps.length).toBeLessThanOrEqual(STEPS_MAX);
  for (const days of WINDOWS) {
    const off = sumSince(steps, new Date(NOW - days * DAY_MS)) - toUnits(days * 24);
    expect(Math.abs(off)).toBeLessThanOrEqual(toUnits(precisionMs(days) / HOUR_MS));
  }
});

test('what the release before put together with the oldest step stays with it, and all else is as it was', () => {
  const lump = { at: hour(2), after: EPOCH, sum: toUnits(9_999) };
  const before = [...full(2).slice(0, -1), lump];
  const steps = withAmount(before, hour(STEPS_MAX + 2), toUnits(1));
  expect(sumSince(steps, hour(1))).toBe(toUnits(10_000));
  expect(sumSince(steps, hour(STEPS_MAX - 50))).toBe(toUnits(53));
  expect(sumSince(steps, hour(STEPS_MAX + 2))).toBe(toUnits(1));
});

test('as many steps as are kept are all exact', () => {
  const steps = withAmount(full(2).slice(0, -1), hour(2), toUnits(1));
  expect(sumSince(steps, hour(1))).toBe(toUnits(STEPS_MAX));
  expect(sumSince(steps, hour(3))).toBe(toUnits(STEPS_MAX - 1));
});

test('what somebody bought in all may be more than one purchase can be', () => {
  const full = toUnits(AMOUNT_MAX);
  const steps = [1, 2, 2].reduce<Step[]>((all, n) => withAmount(all, hour(n), full), []);
  expect([sumSince(steps, hour(1)), sumSince(steps, hour(2))]).toEqual([3 * full, 2 * full]);
});

test('two amounts of one moment are one step, and none where they come to nothing', () => {
  const twice = told([5, 5]);
  expect(twice).toEqual([{ at: hour(5), after: EPOCH, sum: toUnits(2) }]);
  expect(withAmount(twice, hour(5), toUnits(-2) as Units)).toEqual([]);
});

import { AMOUNT_MAX, toUnits, type Units } from '@laurel/values/amount';
import { EPOCH, STEPS_MAX, type Step, withAmount } from './running-sum';

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

test('what is older than all that is kept counts as if it had come with the oldest of that', () => {
  const toldLate = withAmount(full(2), hour(1), toUnits(1));
  const toldInTime = withAmount(full(1), hour(STEPS_MAX + 1), toUnits(1));
  for (const steps of [toldLate, toldInTime]) {
    expect(steps).toHaveLength(STEPS_MAX);
    expect(sumSince(steps, hour(1))).toBe(toUnits(STEPS_MAX + 1));
    expect(sumSince(steps, hour(3))).toBe(toUnits(STEPS_MAX - 1));
    expect(sumSince(steps, hour(STEPS_MAX + 2))).toBe(0);
  }
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

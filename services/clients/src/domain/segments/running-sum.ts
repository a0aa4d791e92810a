import { total, type Units, ZERO } from '@laurel/values/amount';

/** Nothing that counts happened before. */
export const EPOCH = new Date(0);
/** So many steps are kept; what is older counts as if it had come with the oldest of them. */
export const STEPS_MAX = 500;

/**
 * One step of a sum over time, newest first. `sum` is what came from `at` on up to now, in units, and `after` is the
 * moment of the next older step. So the sum since a moment is that of the one step with
 * `after` < moment <= `at`, and 0 when the moment is past all of them: a question that an index or a
 * scan answers without adding anything up, also where refunds make it go down.
 */
export interface Step {
  at: Date;
  after: Date;
  sum: number;
}

interface Entry {
  at: Date;
  amount: Units;
}

/** The sum with a further amount, which may be older than others; its negative takes one back. */
export function withAmount(steps: readonly Step[], at: Date, amount: Units): Step[] {
  const entries = entriesOf(steps);
  const position = entries.findIndex((entry) => entry.at <= at);
  const found = entries[position];
  if (found?.at.getTime() === at.getTime()) found.amount = total(found.amount, amount);
  else entries.splice(position < 0 ? entries.length : position, 0, { at, amount });
  return stepsOf(entries);
}

function entriesOf(steps: readonly Step[]): Entry[] {
  let newer = ZERO;
  return steps.map(({ at, sum }) => {
    const amount = total(sum, -newer);
    newer = total(sum);
    return { at, amount };
  });
}

/** Moments at which nothing came in the end are no steps. */
function stepsOf(all: readonly Entry[]): Step[] {
  const entries = all.filter(({ amount }) => amount !== 0);
  let sum = ZERO;
  const steps: Step[] = entries.map(({ at, amount }, position) => {
    sum = total(sum, amount);
    return { at, after: entries[position + 1]?.at ?? EPOCH, sum };
  });
  if (steps.length <= STEPS_MAX) return steps;
  const oldest = { ...steps[STEPS_MAX - 1]!, after: EPOCH, sum };
  return [...steps.slice(0, STEPS_MAX - 1), oldest];
}

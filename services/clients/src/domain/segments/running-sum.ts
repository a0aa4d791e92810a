import { total, type Units, ZERO } from '@laurel/values/amount';

/** Nothing that counts happened before. */
export const EPOCH = new Date(0);
/** So many steps are kept. */
export const STEPS_MAX = 500;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Scale {
  /** What comes within one such stretch of time, counted from 1970 on, is one step. */
  lengthMs: number;
  /** So many stretches, of those in which anything came. */
  most: number;
}

const EACH_MOMENT: Scale = { lengthMs: 1, most: Number.POSITIVE_INFINITY };

/**
 * How finely more than `STEPS_MAX` moments are kept, the newest first; the last stretch takes all that is older. Every
 * stretch lies within one of the next scale, so that what was put together fits in there, too. Hours begin 100 moments
 * back, days no less than two days, and stretches of several days no sooner than at forty times their length (ADR 7).
 * Together they reach back ten years, the longest period that a filter asks for.
 */
const SCALES: readonly Scale[] = [
  { lengthMs: 1, most: 100 },
  { lengthMs: HOUR_MS, most: 50 },
  { lengthMs: DAY_MS, most: 100 },
  { lengthMs: 2 * DAY_MS, most: 44 },
  { lengthMs: 4 * DAY_MS, most: 44 },
  { lengthMs: 8 * DAY_MS, most: 44 },
  { lengthMs: 16 * DAY_MS, most: 44 },
  { lengthMs: 32 * DAY_MS, most: 74 },
];

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

/** What came at a moment. */
export interface Came {
  at: Date;
  amount: Units;
}

/** The sum with a further amount, which may be older than others; its negative takes one back. */
export function withAmount(steps: readonly Step[], at: Date, amount: Units): Step[] {
  return stepsOf([...amountsIn(steps), { at, amount }]);
}

/**
 * The sum of all that came, in any order. Up to `STEPS_MAX` moments at which anything came in the end it is exact; of more
 * what is older is put together by `SCALES`, under the newest moment of each stretch.
 */
export function stepsOf(all: readonly Came[]): Step[] {
  const newestFirst = all.toSorted((one, other) => Number(other.at) - Number(one.at));
  const moments = joined(newestFirst, [EACH_MOMENT]);
  const kept = moments.length > STEPS_MAX ? joined(moments, SCALES) : moments;
  let sum = ZERO;
  return kept.map(({ at, amount }, position) => {
    sum = total(sum, amount);
    return { at, after: kept[position + 1]?.at ?? EPOCH, sum };
  });
}

function amountsIn(steps: readonly Step[]): Came[] {
  let newer = ZERO;
  return steps.map(({ at, sum }) => {
    const amount = total(sum, -newer);
    newer = total(sum);
    return { at, amount };
  });
}

/** Stretches in which nothing came in the end are none. */
function joined(newestFirst: readonly Came[], scales: readonly Scale[]): Came[] {
  const stretches: Came[] = [];
  let scale = 0;
  let ofScale = 0;
  for (const { at, amount } of newestFirst) {
    const { lengthMs, most } = scales[scale]!;
    const stretchOf = (moment: Date) => Math.floor(moment.getTime() / lengthMs);
    const last = ofScale > 0 ? stretches.at(-1) : undefined;
    const isFull = ofScale === most;
    const isPastAll = isFull && scale === scales.length - 1;
    if (last && (isPastAll || stretchOf(last.at) === stretchOf(at))) {
      last.amount = total(last.amount, amount);
      continue;
    }
    if (isFull) scale += 1;
    ofScale = isFull ? 1 : ofScale + 1;
    stretches.push({ at, amount });
  }
  return stretches.filter(({ amount }) => amount !== 0);
}

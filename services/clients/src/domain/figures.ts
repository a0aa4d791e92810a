import { larger, prorate, smaller, toDecimal, total, unitsOf } from '@laurel/values/amount';

/** What was found of a group of events; amounts in stored units, null where none has one. */
export interface Figures {
  count: number;
  /** How many of them carry the amount at all. */
  valued: number;
  sum: number;
  min: number | null;
  max: number | null;
}

const NONE: Figures = { count: 0, valued: 0, sum: 0, min: null, max: null };

/** The figures of several groups taken together. */
export function joinFigures(groups: readonly Figures[]): Figures {
  return groups.reduce(
    (joined, group) => ({
      count: joined.count + group.count,
      valued: joined.valued + group.valued,
      sum: total(joined.sum, group.sum),
      min: either(joined.min, group.min, smaller),
      max: either(joined.max, group.max, larger),
    }),
    NONE,
  );
}

/** The value of an aggregate function; null where nothing carries an amount to take it of. */
export function figureOf(name: string, { count, valued, sum, min, max }: Figures): number | null {
  switch (name) {
    case 'count':
      return count;
    case 'sum':
      return toDecimal(total(sum));
    case 'avg':
      return valued === 0 ? null : toDecimal(prorate(total(sum), 1, valued));
    default: {
      const extreme = name === 'min' ? min : max;
      return extreme === null ? null : toDecimal(unitsOf(extreme));
    }
  }
}

function either(a: number | null, b: number | null, pick: typeof smaller): number | null {
  if (a === null || b === null) return a ?? b;
  return pick(unitsOf(a), unitsOf(b));
}

import type { Operator } from '@laurel/contract';
import { dayIn, endOf, lastDayOf, momentOf } from '../format/days';
import type { Format } from '../format/format';
import type { WordKey } from '../language';

/** How days are compared; the first is what a question begins with. */
export const DAY_OPERATORS = ['_gte', '_lt', '_lte'] as const satisfies readonly Operator[];
export type DayOperator = (typeof DAY_OPERATORS)[number];

/** What stands before the day: the platform counts the whole of a day that `_lte` names. */
export const DAY_WORDS: Readonly<Record<DayOperator, WordKey>> = {
  _gte: 'filter.sinceWord',
  _lt: 'filter.beforeWord',
  _lte: 'filter.untilWord',
};

export const isDayOperator = (one: unknown): one is DayOperator =>
  DAY_OPERATORS.some((operator) => operator === one);

const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** Whether a day field can show it: a day, a moment, or '' while none is chosen. */
export const isDayOrMoment = (value: unknown): value is string =>
  typeof value === 'string' && (value === '' || DAY_ONLY.test(value) || MOMENT.test(value));

/** What a moment of a customer is compared with: `value` as the API has it, a day of UTC or a moment. */
interface Compared {
  operator: DayOperator;
  value: string;
}

const edgeOf = (
  operator: DayOperator,
  { day, timezone }: { day: string; timezone: string },
): string => (operator === '_lte' ? endOf(day, timezone) : momentOf(day, timezone));

function dayOf({ operator, value }: Compared, timezone: string): string {
  if (DAY_ONLY.test(value)) return value;
  return operator === '_lte' ? lastDayOf(value, timezone) : dayIn(timezone, new Date(value));
}

/** The same day compared another way, as a moment of the workspace; '' stays. */
export function comparedBy(operator: DayOperator, compared: Compared, timezone: string): string {
  if (compared.value === '') return '';
  return edgeOf(operator, { day: dayOf(compared, timezone), timezone });
}

/**
 * The day of a question in words. What is not the edge of a day of the workspace counts by another moment than the day
 * alone would say.
 */
export function tellDay(
  compared: Compared,
  format: Pick<Format, 'day' | 'moment' | 'timezone'>,
): string {
  const { operator, value } = compared;
  if (value === '') return '…';
  if (DAY_ONLY.test(value))
    return format.timezone === 'UTC' ? format.day(value) : `${format.day(value)} (UTC)`;
  const edge = comparedBy(operator, compared, format.timezone);
  return Date.parse(edge) === Date.parse(value) ? format.day(value) : format.moment(value);
}

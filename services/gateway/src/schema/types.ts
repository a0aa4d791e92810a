import { JSON_CHARACTERS_MAX, KEY_PATTERN, UUID_PATTERN } from '@laurel/contract';
import {
  complaintAboutLine,
  FORBIDDEN_KEYS,
  invalidField,
  isVisible,
  VISIBLE,
} from '@laurel/errors';
import { patternOf } from '@laurel/json-schema';
import { AMOUNT_MAX, isAmount } from '@laurel/values/amount';
import { FIRST_MOMENT, isRealDay } from '@laurel/values/calendar';
import Joi from 'joi';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** What Joi takes for one: all hyphens but the first may be missing. It would be the id of no row, and pass by guards that ask `isUuid`. */
const LOOSE_UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-?){3}[0-9a-f]{12}$/;

/** A UUID in its usual spelling; letters of either case are the same id. */
export function uuid(): Joi.StringSchema {
  return Joi.string()
    .guid({ separator: '-', wrapper: false })
    .custom((value: string, helpers) => {
      const id = value.toLowerCase();
      return LOOSE_UUID.test(id) && !isUuid(id) ? helpers.error('string.guid') : id;
    })
    .messages({ 'string.guid': '{{#label}} must be a UUID' });
}

/** Whether a path parameter, as `uuid()` left it, can be the id of a row. */
export function isUuid(value: string | undefined): value is string {
  return value !== undefined && UUID_PATTERN.test(value) && value === value.toLowerCase();
}

/** Accepts a `workspace_id` in a body only as a repetition of the path (part 3, section 16). */
export function requireSameWorkspace(claimed: string | undefined, workspaceId: string): void {
  if (claimed !== undefined && claimed !== workspaceId)
    throw invalidField('workspace_id', 'workspace_id must be the workspace of the path');
}

/** Text of `min` to `max` characters; the empty string is allowed unless `min` says otherwise. */
export function text(max: number, min = 0): Joi.StringSchema {
  const schema = Joi.string().max(max);
  return min === 0 ? schema.allow('') : schema.min(min);
}

const EMPTY_OR_VISIBLE = new RegExp(`^$|${VISIBLE.source}`);
/** Named, so that a further pattern says what it wants in words of its own. */
const MORE_THAN_SPACES = 'more than spaces';

/** Refuses text in which nothing can be seen: spaces, and characters that show nothing. */
export function notBlank(schema: Joi.StringSchema): Joi.StringSchema {
  return called(schema, VISIBLE);
}

/** Refuses text in which nothing can be seen where it may be left empty: who has nothing to say leaves it empty. */
export function emptyOrSaid(schema: Joi.StringSchema): Joi.StringSchema {
  return called(schema, EMPTY_OR_VISIBLE);
}

function called(schema: Joi.StringSchema, pattern: RegExp): Joi.StringSchema {
  return schema
    .pattern(pattern, MORE_THAN_SPACES)
    .custom((value: string, helpers) =>
      value === '' || isVisible(value) ? value : helpers.error('string.pattern.name'),
    )
    .messages({ 'string.pattern.name': '{{#label}} must not be blank' });
}

/**
 * Text that is shown on one line, a name or title: without control characters (part 4, section 1). One that has to be said
 * is more than spaces.
 */
export function oneLine(max: number, min = 0): Joi.StringSchema {
  return (min === 0 ? text(max) : notBlank(text(max, min)))
    .meta({ isLine: true })
    .custom((value: string, helpers) => {
      const complaint = complaintAboutLine(value);
      return complaint === null ? value : helpers.error('text.line', { complaint });
    })
    .messages({ 'text.line': '{{#label}} {{#complaint}}' });
}

export function nullable<S extends Joi.Schema>(schema: S): S {
  return schema.allow(null) as S;
}

/** Points or money: a JSON number with at most 4 decimals and |value| <= 100 000 000 000 (part 3, section 1.2). */
export function amount(): Joi.NumberSchema {
  return Joi.number()
    .min(-AMOUNT_MAX)
    .max(AMOUNT_MAX)
    .unsafe()
    .custom((value: number, helpers) =>
      // One beyond the range has no decimals to be wrong with.
      Math.abs(value) > AMOUNT_MAX || isAmount(value) ? value : helpers.error('amount.decimals'),
    )
    .messages({ 'amount.decimals': '{{#label}} must have at most 4 decimal places' })
    .meta({ request: { description: 'At most 4 decimal places.' } });
}

export function positiveAmount(): Joi.NumberSchema {
  return amount().greater(0);
}

export function nonNegativeAmount(): Joi.NumberSchema {
  return amount().min(0);
}

/** An ISO 8601 moment, of our era. */
export function timestamp(): Joi.StringSchema {
  return moment((value) => TIMESTAMP.test(value), 'must be an ISO 8601 timestamp')
    .custom((value: string, helpers) =>
      Date.parse(value) < FIRST_MOMENT.getTime() ? helpers.error('moment.early') : value,
    )
    .messages({ 'moment.early': '{{#label}} must not be before 0001-01-02' })
    .meta({
      request: { pattern: patternOf(String(TIMESTAMP)), examples: ['2026-01-31T10:00:00.000Z'] },
      answer: { format: 'date-time' },
    });
}

/** A date or a moment; a bare upper bound includes its whole day (see `untilMoment`). */
export function dateOrTimestamp(): Joi.StringSchema {
  return moment(
    (value) => TIMESTAMP.test(value) || DAY.test(value),
    'must be an ISO 8601 date or timestamp',
  ).meta({
    request: {
      pattern: `${patternOf(String(DAY))}|${patternOf(String(TIMESTAMP))}`,
      examples: ['2026-01-31'],
    },
  });
}

/** The end of a time whose beginning is the sibling `from_date`: never before it. */
export const toDate = (): Joi.StringSchema => notBeforeFrom(dateOrTimestamp());

/** As `toDate`, where a time is given in days. */
export const toDay = (): Joi.StringSchema => notBeforeFrom(day());

function notBeforeFrom(schema: Joi.StringSchema): Joi.StringSchema {
  return schema
    .custom((value: string, helpers) => {
      const { from_date: from } = (helpers.state.ancestors[0] ?? {}) as { from_date?: unknown };
      const isBackwards = typeof from === 'string' && Date.parse(from) > endOf(value);
      return isBackwards ? helpers.error('moment.backwards') : value;
    })
    .messages({ 'moment.backwards': '{{#label}} must not be before from_date' });
}

/** NaN, which is before nothing, where the value is no moment. */
const endOf = (value: string): number => Date.parse(lastMomentOf(value));

const lastMomentOf = (value: string): string =>
  DAY.test(value) ? `${value}T23:59:59.999Z` : value;

/** A calendar day, YYYY-MM-DD. */
export function day(): Joi.StringSchema {
  const format = { format: 'date' };
  return moment((value) => DAY.test(value), 'must be a date like 2026-01-31').meta({
    request: format,
    answer: format,
  });
}

function moment(isWellFormed: (value: string) => boolean, complaint: string): Joi.StringSchema {
  return Joi.string()
    .max(40)
    .custom((value: string, helpers) =>
      isWellFormed(value) && isRealDay(value) && Number.isFinite(Date.parse(value))
        ? inUtc(value)
        : helpers.error('moment.invalid'),
    )
    .messages({ 'moment.invalid': `{{#label}} ${complaint}` });
}

/** A moment without a zone is UTC (part 3, section 1.2), wherever the machine stands that reads it. */
const inUtc = (value: string): string =>
  /[T ]\d/i.test(value) && !/(Z|[+-]\d{2}:?\d{2})$/i.test(value) ? `${value}Z` : value;

/** First moment that `from_date` admits, as ISO 8601. */
export function fromMoment(value: string | undefined): string | undefined {
  return value === undefined ? undefined : new Date(value).toISOString();
}

/** Last moment that `to_date` admits: a bare date includes its whole day. */
export function untilMoment(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  return new Date(lastMomentOf(value)).toISOString();
}

/** A boolean query parameter: the string `true` or `false`. */
export function queryBoolean(): Joi.BooleanSchema {
  return Joi.boolean().strict(false);
}

/** A list in a query, given as repeated parameters. */
export function queryList(item: Joi.Schema): Joi.ArraySchema {
  return Joi.array()
    .items(item)
    .single()
    .custom((value: unknown[]) => value);
}

/** Any JSON object: what no body may hold is refused before any schema is asked. */
export function anyJsonObject(): Joi.ObjectSchema {
  return Joi.object().unknown(true);
}

/** A JSON object that is kept with a row, such as metadata or custom fields. */
export function jsonObject(): Joi.ObjectSchema {
  return anyJsonObject()
    .custom((value: object, helpers) =>
      JSON.stringify(value).length > JSON_CHARACTERS_MAX ? helpers.error('object.large') : value,
    )
    .messages({
      'object.large': `{{#label}} must be at most ${JSON_CHARACTERS_MAX} characters of JSON`,
    });
}

export interface PageBounds {
  limitMax: number;
  limitDefault: number;
  /** Deep lists also take an opaque cursor, which excludes `offset` (part 3, section 1.4). */
  cursor?: boolean;
}

/** Stores count what they skip in 32 bits. */
export const OFFSET_MAX = 2 ** 31 - 1;

/** `limit`, `offset` and, on deep lists, `cursor`. */
export function page({
  limitMax,
  limitDefault,
  cursor = false,
}: PageBounds): Record<string, Joi.Schema> {
  return {
    limit: Joi.number().integer().min(1).max(limitMax).default(limitDefault),
    offset: Joi.number()
      .integer()
      .min(0)
      .max(OFFSET_MAX)
      // biome-ignore lint/suspicious/noThenProperty: joi's word for the branch
      .when('cursor', { is: Joi.exist(), then: Joi.forbidden() }),
    ...(cursor ? { cursor: Joi.string().max(500) } : { cursor: Joi.forbidden() }),
  };
}

/** #RRGGBB. */
export function colour(): Joi.StringSchema {
  return Joi.string()
    .pattern(/^#[0-9a-fA-F]{6}$/)
    .messages({ 'string.pattern.base': '{{#label}} must be a colour like #1A2B3C' });
}

export function email(): Joi.StringSchema {
  return Joi.string()
    .max(255)
    .email({ tlds: false })
    .messages({ 'string.email': '{{#label}} must be an e-mail address' });
}

export { Joi };

/** A name by which something is a member of objects, of bodies and of our own: never one that every object has. */
export const memberName = (pattern: RegExp) =>
  Joi.string()
    .invalid(...FORBIDDEN_KEYS)
    .pattern(pattern);

/** What files call a thing of a programme, where they do: given once, unique in its kind (docs/adr/0022). */
export const shownKey = () =>
  Joi.string().pattern(KEY_PATTERN).messages({
    'string.pattern.base':
      '{{#label}} must be 1 to 63 of a-z, 0-9 and -, and begin with a letter or a digit',
  });

/** The same in a request: null is no key. */
export const programmeKey = () => nullable(shownKey());

/** `?key=` of a list: the one that files call so, or none. */
export const byKey = () =>
  shownKey().description('Only the one that the files of a programme call so (docs/adr/0022)');

/** The query of a list that takes nothing else. */
export const listByKey = () => Joi.object<{ key?: string }>({ key: byKey() });

/** Of a list that is always read as a whole, what a query asks for. */
export const ofKey = <Row extends { key?: string | null | undefined }>(
  rows: readonly Row[],
  key: string | undefined,
): Row[] => rows.filter((row) => key === undefined || row.key === key);

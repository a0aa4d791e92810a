import { type Operator, UUID_PATTERN } from '@laurel/contract';
import { complaintAboutNumber, type Json, type Problem } from '@laurel/errors';
import { AMOUNT_MAX, isAmount } from '@laurel/values/amount';
import { momentNamed } from '@laurel/values/calendar';
import { isDate } from '../data-model';
import type { Comparison } from './filter';

/** What values a filter compares: of a column, a custom field, a balance, a number of events. */
export type ValueType =
  | { kind: 'text' | 'id' | 'number' | 'amount' | 'boolean' | 'moment' | 'object' }
  /** An undefined custom field: a text, a number, or true or false. */
  | { kind: 'free' }
  | { kind: 'choice'; options: readonly string[] }
  /** Whole and never negative; `nullable` where there may be nothing to count from, `max` where counting ends. */
  | { kind: 'count'; nullable: boolean; max?: number };

type Kind = ValueType['kind'];

const EQUALITY: readonly Operator[] = ['_eq', '_neq', '_in', '_nin'];
const ORDER: readonly Operator[] = ['_gt', '_gte', '_lt', '_lte', '_between'];
const PARTS: readonly Operator[] = ['_contains', '_starts_with'];
const PRESENCE: readonly Operator[] = ['_null', '_nnull'];

const OPERATORS_OF: Readonly<Record<Kind, readonly Operator[]>> = {
  text: [...EQUALITY, ...ORDER, ...PARTS, ...PRESENCE],
  free: [...EQUALITY, ...ORDER, ...PARTS, ...PRESENCE],
  number: [...EQUALITY, ...ORDER, ...PRESENCE],
  moment: [...EQUALITY, ...ORDER, ...PRESENCE],
  boolean: [...EQUALITY, ...PRESENCE],
  choice: [...EQUALITY, ...PARTS, ...PRESENCE],
  id: [...EQUALITY, ...PRESENCE],
  object: PRESENCE,
  amount: [...EQUALITY, ...ORDER],
  count: [...EQUALITY, ...ORDER],
};

const OPERANDS_MAX = 1_000;
/** The store takes patterns of up to 32 764 characters, in which a character may take two and four bytes. */
const TEXT_LENGTH_MAX = 4_000;

/**
 * What is wrong with a comparison of such values, each problem under `at`, the place of the comparison:
 * `filters.0.filter_config` gives `filters.0.filter_config.value.2`.
 */
export function comparisonProblems(
  { operator, value }: Comparison,
  type: ValueType,
  at: string,
): Problem[] {
  if (!operatorsOf(type).includes(operator)) {
    const message = `${operator} does not go with a ${nameOf(type)}; use one of ${operatorsOf(type).join(', ')}`;
    return [{ field: `${at}.operator`, message }];
  }
  if (PRESENCE.includes(operator)) {
    const isFlag = value === undefined || value === null || typeof value === 'boolean';
    return isFlag ? [] : [{ field: `${at}.value`, message: `${operator} takes no value` }];
  }
  if (operator === '_between') return rangeProblems(value, type, at);
  if (operator === '_in' || operator === '_nin') return listProblems(value, type, at);
  const complaint = PARTS.includes(operator)
    ? complaintAboutPart(value)
    : complaintAbout(value, type, ORDER.includes(operator));
  return complaint === null ? [] : [{ field: `${at}.value`, message: `value ${complaint}` }];
}

function operatorsOf(type: ValueType): readonly Operator[] {
  const operators = OPERATORS_OF[type.kind];
  return type.kind === 'count' && type.nullable ? [...operators, ...PRESENCE] : operators;
}

function nameOf({ kind }: ValueType): string {
  return { free: 'custom field', choice: 'select field', moment: 'date' }[kind as string] ?? kind;
}

function listProblems(value: Json | undefined, type: ValueType, at: string): Problem[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > OPERANDS_MAX) {
    const message = `value must be a list of 1 to ${OPERANDS_MAX} values`;
    return [{ field: `${at}.value`, message }];
  }
  return value.flatMap((one, index) => {
    const complaint = complaintAbout(one, type, false);
    return complaint === null
      ? []
      : [{ field: `${at}.value.${index}`, message: `each value ${complaint}` }];
  });
}

function rangeProblems(value: Json | undefined, type: ValueType, at: string): Problem[] {
  if (!Array.isArray(value) || value.length !== 2) {
    return [
      { field: `${at}.value`, message: 'value must be a list of two: the lowest, the highest' },
    ];
  }
  const problems = value.flatMap((one, index) => {
    const complaint = complaintAbout(one, type, true);
    return complaint === null
      ? []
      : [{ field: `${at}.value.${index}`, message: `each value ${complaint}` }];
  });
  if (problems.length > 0) return problems;
  const [low, high] = value as [string | number, string | number];
  if (typeof low !== typeof high) {
    return [{ field: `${at}.value`, message: 'both values must be of one type' }];
  }
  const isOrdered = type.kind === 'moment' ? momentOf(low) <= endOf(String(high)) : low <= high;
  return isOrdered
    ? []
    : [{ field: `${at}.value`, message: 'the first value must not be above the second' }];
}

function momentOf(value: string | number): number {
  return momentNamed(String(value)).getTime();
}

const BARE_DAY = /^\d{4}-\d{2}-\d{2}$/;
const DAY_MS = 86_400_000;

/** A bare day ends with its last moment, as the comparison has it. */
const endOf = (value: string): number => momentOf(value) + (BARE_DAY.test(value) ? DAY_MS - 1 : 0);

function complaintAboutPart(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== ''
    ? complaintAboutLength(value)
    : 'must be a text that is not empty';
}

function complaintAboutLength(text: string): string | null {
  return text.length <= TEXT_LENGTH_MAX
    ? null
    : `must be at most ${TEXT_LENGTH_MAX} characters long`;
}

function complaintAboutCount(
  value: Json | undefined,
  max = Number.MAX_SAFE_INTEGER,
): string | null {
  if (Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max) return null;
  return max === Number.MAX_SAFE_INTEGER
    ? `must be a whole number from 0 to ${max}`
    : `must be a whole number from 0 to ${max}: events are counted no further`;
}

/** What is wrong with one value, or null. `ordered`: it is the end of a range. */
function complaintAbout(value: Json | undefined, type: ValueType, ordered: boolean): string | null {
  const unless = (isRight: boolean, complaint: string) => (isRight ? null : complaint);
  switch (type.kind) {
    case 'text':
      return typeof value === 'string' ? complaintAboutLength(value) : 'must be a text';
    case 'id':
      return unless(typeof value === 'string' && UUID_PATTERN.test(value), 'must be a UUID');
    case 'number':
      return complaintAboutNumber(value);
    case 'amount':
      return (
        complaintAboutNumber(value, AMOUNT_MAX) ??
        unless(isAmount(Number(value)), 'must have at most 4 decimal places')
      );
    case 'count':
      return complaintAboutCount(value, type.max);
    case 'boolean':
      return unless(typeof value === 'boolean', 'must be true or false');
    case 'moment':
      return unless(typeof value === 'string' && isDate(value), 'must be a date like 2026-01-31');
    case 'choice':
      return unless(
        typeof value === 'string' && type.options.includes(value),
        `must be one of ${type.options.join(', ')}`,
      );
    case 'free':
      if (typeof value === 'string') return complaintAboutLength(value);
      return unless(
        ['string', 'number', ...(ordered ? [] : ['boolean'])].includes(typeof value),
        ordered ? 'must be a text or a number' : 'must be a text, a number, or true or false',
      );
    case 'object':
      return 'is not compared';
  }
}

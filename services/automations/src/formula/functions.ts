import { daysFrom, isBirthdayAt } from '../domain/facts';

/** A function that formulas may call, once per combination of argument types. */
export interface FormulaFunction {
  name: string;
  /** As people read it. */
  signature: string;
  description: string;
  parameters: readonly ('number' | 'moment' | 'any')[];
  returns: 'double' | 'bool' | 'dyn';
  /** Numbers arrive as JavaScript numbers, moments as Dates. */
  run: (...values: never[]) => unknown;
}

/** The moment at which the formula being evaluated is asked; evaluation never waits, so one is enough. */
export const evaluation = { now: new Date(0) };

const SUNDAY = 7;

export const FUNCTIONS: readonly FormulaFunction[] = [
  unary('round', 'The nearest whole number; halves go away from zero.', roundHalfAway),
  {
    name: 'round',
    signature: 'round(number, places): number',
    description: 'Rounded to so many decimal places.',
    parameters: ['number', 'number'],
    returns: 'double',
    run: (value: number, places: number) => roundHalfAway(value * 10 ** places) / 10 ** places,
  },
  unary('floor', 'The next whole number below.', Math.floor),
  unary('ceil', 'The next whole number above.', Math.ceil),
  binary('min', 'The smaller of two numbers.', Math.min),
  binary('max', 'The larger of two numbers.', Math.max),
  {
    name: 'clamp',
    signature: 'clamp(number, low, high): number',
    description: 'The number, but no less than low and no more than high.',
    parameters: ['number', 'number', 'number'],
    returns: 'double',
    run: (value: number, low: number, high: number) => Math.min(Math.max(value, low), high),
  },
  binary('percent', 'percent(x, p) is p percent of x.', (x, p) => (x * p) / 100),
  {
    name: 'isBirthday',
    signature: 'isBirthday(date): boolean',
    description: 'Whether today is the anniversary of a date.',
    parameters: ['moment'],
    returns: 'bool',
    run: (date: Date | null) => date !== null && isBirthdayAt(date.toISOString(), evaluation.now),
  },
  {
    name: 'daysBetween',
    signature: 'daysBetween(a, b): number',
    description: 'Whole days from a to b; negative when b comes first.',
    parameters: ['moment', 'moment'],
    returns: 'double',
    run: (a: Date | null, b: Date | null) => (a && b ? daysFrom(a, b) : Number.NaN),
  },
  {
    name: 'weekday',
    signature: 'weekday(t): number',
    description: 'The day of the week of a moment in UTC, 1 for Monday to 7 for Sunday.',
    parameters: ['moment'],
    returns: 'double',
    run: (t: Date | null) => (t ? t.getUTCDay() || SUNDAY : Number.NaN),
  },
  {
    name: 'coalesce',
    signature: 'coalesce(a, b): any',
    description:
      'a if it is there, else b. Null, an empty text and an unknown number are not there.',
    parameters: ['any', 'any'],
    returns: 'dyn',
    run: (a: unknown, b: unknown) => (a === null || a === '' || Number.isNaN(a) ? b : a),
  },
];

function unary(name: string, description: string, run: (value: number) => number): FormulaFunction {
  const signature = `${name}(number): number`;
  return { name, signature, description, parameters: ['number'], returns: 'double', run };
}

function binary(
  name: string,
  description: string,
  run: (a: number, b: number) => number,
): FormulaFunction {
  const signature = `${name}(number, number): number`;
  const parameters = ['number', 'number'] as const;
  return { name, signature, description, parameters, returns: 'double', run };
}

function roundHalfAway(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value));
}

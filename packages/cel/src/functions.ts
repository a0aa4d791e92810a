import type { Environment } from '@marcbachmann/cel-js';
import { isMissing } from './compile';
import { CALL_ARGUMENTS_MAX } from './limits';
import { ceil, floor, largest, percent, round, smallest, sum } from './numbers';

/** What every language of the platform can call, as people read it. */
export interface CommonFunction {
  name: string;
  signature: string;
  description: string;
}

interface Described extends CommonFunction {
  /** Numbers that it takes, fewest and most; a list instead for those that take one. */
  takes: readonly [number, number] | 'list';
  run: (...values: never[]) => unknown;
}

/** Up to so many arguments whole numbers and others may be mixed in any way, and saving refuses texts among them. */
const MIXED_MAX = 3;

const NUMBER_FUNCTIONS: readonly Described[] = [
  {
    name: 'round',
    signature: 'round(number): number',
    description: 'The nearest whole number; halves go away from zero.',
    takes: [1, 1],
    run: round,
  },
  {
    name: 'round',
    signature: 'round(number, places): number',
    description: 'Rounded to so many decimal places.',
    takes: [2, 2],
    run: round,
  },
  {
    name: 'floor',
    signature: 'floor(number): number',
    description: 'The next whole number below.',
    takes: [1, 1],
    run: floor,
  },
  {
    name: 'ceil',
    signature: 'ceil(number): number',
    description: 'The next whole number above.',
    takes: [1, 1],
    run: ceil,
  },
  {
    name: 'min',
    signature: 'min(number, number, ...): number',
    description: 'The smallest of any number of numbers.',
    takes: [1, CALL_ARGUMENTS_MAX],
    run: smallest,
  },
  {
    name: 'max',
    signature: 'max(number, number, ...): number',
    description: 'The largest of any number of numbers.',
    takes: [1, CALL_ARGUMENTS_MAX],
    run: largest,
  },
  {
    name: 'clamp',
    signature: 'clamp(number, low, high): number',
    description: 'The number, but no less than low and no more than high.',
    takes: [3, 3],
    run: (value: unknown, low: unknown, high: unknown) => smallest(largest(value, low), high),
  },
  {
    name: 'percent',
    signature: 'percent(x, p): number',
    description: 'percent(x, p) is p percent of x.',
    takes: [2, 2],
    run: percent,
  },
  {
    name: 'sum',
    signature: 'sum(list): number',
    description: 'All numbers of a list added up; 0 for an empty one.',
    takes: 'list',
    run: (values: unknown) => sum(Array.isArray(values) ? values : [values]),
  },
];

const COALESCE = {
  name: 'coalesce',
  signature: 'coalesce(a, b): any',
  description:
    'a if it is there, else b. A missing member, null, an empty text and an unknown number are not there.',
  run: (a: unknown, b: unknown) => (isMissing(a) ? b : a),
};

/** The functions of every language, for people who write expressions. */
export const COMMON_FUNCTIONS: readonly CommonFunction[] = [...NUMBER_FUNCTIONS, COALESCE].map(
  ({ name, signature, description }) => ({ name, signature, description }),
);

export function addCommonFunctions(environment: Environment): void {
  for (const { name, takes, run } of NUMBER_FUNCTIONS) {
    const handler = run as (...values: unknown[]) => unknown;
    for (const types of takes === 'list' ? [['list']] : argumentsOf(...takes))
      environment.registerFunction(`${name}(${types.join(', ')}): double`, handler);
  }
  environment.registerFunction('coalesce(dyn, dyn): dyn', COALESCE.run);
  // What is not there has no members.
  environment.registerFunction('size(null): int', () => 0n);
  // CEL has it, the library does not.
  environment.registerFunction('string(google.protobuf.Timestamp): string', (moment: Date) =>
    moment.toISOString(),
  );
}

function argumentsOf(fewest: number, most: number): string[][] {
  const counts = Array.from({ length: most - fewest + 1 }, (_, index) => fewest + index);
  return counts.flatMap((count) =>
    count > MIXED_MAX ? [Array<string>(count).fill('dyn')] : mixed(count),
  );
}

function mixed(count: number): string[][] {
  return count === 0
    ? [[]]
    : mixed(count - 1).flatMap((types) => [
        [...types, 'double'],
        [...types, 'int'],
      ]);
}

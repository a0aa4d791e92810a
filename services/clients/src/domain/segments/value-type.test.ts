import { OPERATORS, type Operator } from '@laurel/contract';
import type { Json } from '@laurel/errors';
import { comparisonProblems, type ValueType } from './value-type';

/** Where something is wrong; what is said of each place must say what goes there. */
const placesOf = (type: ValueType, operator: Operator, value?: Json) => {
  const comparison = value === undefined ? { operator } : { operator, value };
  const problems = comparisonProblems(comparison, type, 'at');
  for (const { message } of problems)
    expect(message).toMatch(
      /^((each|the first|both) )?values? must (not )?(be|have) .|takes no value|; use one of _/,
    );
  return problems.map(({ field }) => field);
};
const allowed = (type: ValueType, value: (operator: Operator) => Json | undefined) =>
  OPERATORS.filter((operator) => placesOf(type, operator, value(operator)).length === 0);
/** A right value of each operator, made of `one`. */
const rightFor = (one: Json) => (operator: Operator) =>
  ({
    _in: [one],
    _nin: [one],
    _between: [one, one],
    _contains: 'x',
    _starts_with: 'x',
    _null: null,
    _nnull: true,
  })[operator as string] ?? (operator === '_null' ? undefined : one);

const ID = '0190a0b0-0000-7000-8000-00000000000F';

test('each type of value has its operators', () => {
  const equality = ['_eq', '_neq', '_in', '_nin'];
  const order = ['_gt', '_gte', '_lt', '_lte', '_between'];
  const presence = ['_null', '_nnull'];
  const parts = ['_contains', '_starts_with'];
  expect(allowed({ kind: 'text' }, rightFor('a'))).toEqual([
    ...equality,
    ...order,
    ...parts,
    ...presence,
  ]);
  expect(allowed({ kind: 'free' }, rightFor(1))).toEqual([
    ...equality,
    ...order,
    ...parts,
    ...presence,
  ]);
  expect(allowed({ kind: 'number' }, rightFor(1))).toEqual([...equality, ...order, ...presence]);
  expect(allowed({ kind: 'moment' }, rightFor('2026-01-31'))).toEqual([
    ...equality,
    ...order,
    ...presence,
  ]);
  expect(allowed({ kind: 'boolean' }, rightFor(true))).toEqual([...equality, ...presence]);
  expect(allowed({ kind: 'choice', options: ['S'] }, rightFor('S'))).toEqual([
    ...equality,
    ...parts,
    ...presence,
  ]);
  expect(allowed({ kind: 'id' }, rightFor(ID))).toEqual([...equality, ...presence]);
  expect(allowed({ kind: 'object' }, rightFor('a'))).toEqual(presence);
  expect(allowed({ kind: 'amount' }, rightFor(1.5))).toEqual([...equality, ...order]);
  expect(allowed({ kind: 'count', nullable: true }, rightFor(1))).toEqual([
    ...equality,
    ...order,
    ...presence,
  ]);
});

test.each<[ValueType, Operator, Json | undefined, string]>([
  [{ kind: 'text' }, '_eq', 5, 'at.value'],
  [{ kind: 'text' }, '_eq', null, 'at.value'],
  [{ kind: 'text' }, '_contains', '', 'at.value'],
  [{ kind: 'text' }, '_contains', 'a'.repeat(4_001), 'at.value'],
  [{ kind: 'text' }, '_eq', 'a'.repeat(4_001), 'at.value'],
  [{ kind: 'free' }, '_in', [1, 'a'.repeat(4_001)], 'at.value.1'],
  [{ kind: 'text' }, '_in', [], 'at.value'],
  [{ kind: 'text' }, '_in', ['a', 5], 'at.value.1'],
  [{ kind: 'number' }, '_gt', '5', 'at.value'],
  [{ kind: 'number' }, '_between', [1], 'at.value'],
  [{ kind: 'number' }, '_between', [2, 1], 'at.value'],
  [{ kind: 'number' }, '_between', ['1', 2], 'at.value.0'],
  [{ kind: 'moment' }, '_eq', '2026-02-30', 'at.value'],
  [{ kind: 'moment' }, '_between', ['2026-02-02', '2026-02-01'], 'at.value'],
  [{ kind: 'choice', options: ['S'] }, '_eq', 'M', 'at.value'],
  [{ kind: 'amount' }, '_eq', 0.00001, 'at.value'],
  [{ kind: 'count', nullable: false }, '_eq', -1, 'at.value'],
  [{ kind: 'count', nullable: false }, '_eq', 1.5, 'at.value'],
  [{ kind: 'count', nullable: false, max: 500 }, '_gte', 501, 'at.value'],
  [{ kind: 'count', nullable: false, max: 500 }, '_between', [1, 600], 'at.value.1'],
  [{ kind: 'count', nullable: false }, '_null', undefined, 'at.operator'],
  [{ kind: 'free' }, '_gt', true, 'at.value'],
  [{ kind: 'free' }, '_between', [1, 'a'], 'at.value'],
  [{ kind: 'free' }, '_eq', { a: 1 }, 'at.value'],
  [{ kind: 'id' }, '_eq', 'abc', 'at.value'],
  [{ kind: 'object' }, '_eq', 'abc', 'at.operator'],
  [{ kind: 'text' }, '_null', 'yes', 'at.value'],
  [{ kind: 'free' }, '_between', ['1', 2], 'at.value'],
  [{ kind: 'text' }, '_contains', 5, 'at.value'],
  [{ kind: 'text' }, '_in', Array(1_001).fill('a'), 'at.value'],
  [{ kind: 'text' }, '_in', 'a', 'at.value'],
  [{ kind: 'number' }, '_between', [1, 2, 3], 'at.value'],
  [{ kind: 'number' }, '_between', 5, 'at.value'],
  [{ kind: 'number' }, '_eq', Number.POSITIVE_INFINITY, 'at.value'],
  [{ kind: 'moment' }, '_eq', 5, 'at.value'],
  [
    { kind: 'moment' },
    '_between',
    ['2026-01-01T12:00:00+14:00', '2026-01-01T00:00:00Z'].reverse(),
    'at.value',
  ],
  [{ kind: 'amount' }, '_eq', '1', 'at.value'],
  [{ kind: 'boolean' }, '_eq', 'true', 'at.value'],
  [{ kind: 'choice', options: ['S'] }, '_eq', ['S'], 'at.value'],
  [{ kind: 'free' }, '_eq', null, 'at.value'],
  [{ kind: 'free' }, '_between', [true, 1], 'at.value.0'],
  [{ kind: 'id' }, '_eq', `${ID}0`, 'at.value'],
  [{ kind: 'id' }, '_eq', `0${ID}`, 'at.value'],
  [{ kind: 'id' }, '_eq', 5, 'at.value'],
])('%j %s %.40j is refused at %s', (type, operator, value, place) => {
  expect(placesOf(type, operator, value)).toEqual([place]);
});

test.each<[ValueType, Operator, Json]>([
  [{ kind: 'count', nullable: false }, '_eq', 0],
  [{ kind: 'count', nullable: false, max: 500 }, '_eq', 500],
  [{ kind: 'text' }, '_in', Array(1_000).fill('a')],
  [{ kind: 'text' }, '_starts_with', 'a'.repeat(4_000)],
  [{ kind: 'number' }, '_between', [1, 1]],
  [{ kind: 'moment' }, '_between', ['2026-01-01T12:00:00+14:00', '2026-01-01T00:00:00Z']],
  [{ kind: 'free' }, '_in', ['a', 1, true]],
  [{ kind: 'number' }, '_eq', 0.00001],
  [{ kind: 'text' }, '_null', false],
  [{ kind: 'text' }, '_nnull', null],
])('%j %s goes with a value at the very end of what is right', (type, operator, value) => {
  expect(placesOf(type, operator, value)).toEqual([]);
});

import fc from 'fast-check';
import { complies, is, nameOfStep, pathStep, type Scalar } from './criterion';

test('a name comes back from a step of a path, and no two names make the same step', () => {
  const character = fc.constantFrom('%', '.', '$', '\0', '0', '2', '5', 'e', 'a');
  fc.assert(
    fc.property(fc.string({ unit: character }), (name) => {
      expect(nameOfStep(pathStep(name))).toBe(name);
      expect(pathStep(name)).not.toMatch(/[.$\0]/);
    }),
  );
  expect(pathStep('%.$\0')).toBe('%25%2e%24%0');
  expect(nameOfStep('%25%2e%24%0')).toBe('%.$\0');
});

test('values of different types never comply with each other', () => {
  const moment = new Date(5);
  const values: Scalar[] = ['5', 5, true, moment];
  for (const value of values)
    for (const to of values)
      for (const comparing of ['eq', 'gte', 'lte'] as const)
        expect(complies({ value }, is('value', comparing, to))).toBe(value === to);
  expect(complies({ value: null }, is('value', 'gte', moment))).toBe(false);
  expect(complies({ value: {} }, is('value', 'gte', moment))).toBe(false);
  expect(complies({ value: 5 }, is('value', 'contains', '5'))).toBe(false);
  expect(complies({ value: 15 }, is('value', 'contains', 5))).toBe(false);
  expect(complies({ value: 5 }, is('value', 'starts_with', '5'))).toBe(false);
});

test('texts are in the order of their code points, as the store has it', () => {
  const [last, beforeIt] = ['\u{1f600}', '\uffee'];
  expect(complies({ value: last }, is('value', 'gt', beforeIt))).toBe(true);
  expect(complies({ value: beforeIt }, is('value', 'lt', last))).toBe(true);
  expect(complies({ value: 'b' }, is('value', 'lt', 'B'))).toBe(false);
});

test('of a list one member is enough, and an ordering has its ends only where it says so', () => {
  const list = { list: [1, 3] };
  expect(complies(list, is('list', 'eq', 3))).toBe(true);
  expect(complies(list, is('list', 'gt', 3))).toBe(false);
  expect(complies(list, is('list', 'gte', 3))).toBe(true);
  expect(complies(list, is('list', 'lt', 1))).toBe(false);
  expect(complies(list, is('list', 'lte', 1))).toBe(true);
  expect(complies(list, { path: 'list', oneOf: [3, 4] })).toBe(true);
  expect(complies(list, { path: 'list', oneOf: [2] })).toBe(false);
  expect(complies({}, is('list', 'eq', 3))).toBe(false);
});

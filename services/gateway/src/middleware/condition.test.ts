import type { Request } from 'express';
import type { Route } from '../routing';
import { conditionOf } from './condition';

const asked = (header: string | undefined, route: Partial<Route> = {}) =>
  conditionOf(
    { method: 'patch', versioned: true, ...route } as Route,
    { get: () => header } as unknown as Request,
  );

test.each([
  ['"a"', ['a']],
  [' "a" , "b,c"\t,"d"', ['a', 'b,c', 'd']],
  ['"a",,"b"', ['a', 'b']],
  ['W/"a", "b"', ['b']],
  ['W/"a"', []],
  ['""', ['']],
  [' * ', '*'],
])('of If-Match %s the strong tags count', (header, expected) => {
  expect(asked(header)).toEqual(expected);
});

test.each(['a', '"a', '"a" "b"', 'w/"a"', '"a", *', '', ' ', ','])(
  'what is no list of tags is refused, so that no change is made under a condition that nobody read: %s',
  (header) => {
    expect(() => asked(header)).toThrow(expect.objectContaining({ code: 'INVALID_PAYLOAD' }));
  },
);

test('a list that goes on and on is refused', () => {
  expect(() => asked('"x",'.repeat(101))).toThrow();
  expect(asked('"x",'.repeat(100))).toHaveLength(100);
});

test('reads and routes without versions are under no condition', () => {
  expect(asked(undefined)).toBeUndefined();
  expect(asked('"a"', { method: 'get' })).toBeUndefined();
  expect(asked('"a"', { versioned: false })).toBeUndefined();
});

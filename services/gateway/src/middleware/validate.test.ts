import { FORBIDDEN_KEYS, type Problem, type Refusal } from '@laurel/errors';
import Joi from 'joi';
import { amount } from '../schema/types';
import { check } from './validate';

const schema = Joi.object({
  effects: Joi.array().items(
    Joi.object({ amount: Joi.number(), from: Joi.date(), to: Joi.date() }).and('from', 'to'),
  ),
  rows: Joi.array().items(Joi.array().items(Joi.number())).unique(),
})
  .and('effects', 'rows')
  .label('body');

function problemsOf(value: unknown): Partial<Problem>[] {
  try {
    check(schema, value, false);
    return [];
  } catch (error) {
    return (error as Refusal).problems.map(({ field, message }) => ({ field, message }));
  }
}

test('a field has one name, in the words of a refusal as beside them: members and places between dots', () => {
  const effects = [{ amount: 'x', colour: 1 }, { from: new Date() }, 'x'];
  expect(problemsOf({ effects, rows: [] })).toEqual([
    { field: 'effects.0.amount', message: 'effects.0.amount must be a number' },
    { field: 'effects.0.colour', message: 'effects.0.colour is not a known field' },
    {
      field: 'effects.1',
      message: 'effects.1 contains [from] without its required peers [to]',
    },
    { field: 'effects.2', message: 'effects.2 must be of type object' },
  ]);
  expect(
    problemsOf({ effects: [], rows: [[1], [1], [2, 'x[0]']] }).map(({ message }) => message),
  ).toEqual(['rows.2.1 must be a number', 'rows.1 contains a duplicate value']);
});

test.each(FORBIDDEN_KEYS)('the key %s is refused, whatever a schema would take', (key) => {
  const free = Joi.object().unknown(true);
  const hostile = Object.fromEntries([[key, 'x']]);
  for (const convert of [true, false])
    expect(() => check(free, { metadata: { a: [hostile] } }, convert)).toThrow(
      expect.objectContaining({
        httpStatus: 400,
        problems: [expect.objectContaining({ field: `metadata.a.0.${key}` })],
      }),
    );
});

test('what is wrong with the whole is a problem of the first member that is missing', () => {
  expect(problemsOf({ effects: [] })).toEqual([
    { field: 'rows', message: 'body contains [effects] without its required peers [rows]' },
  ]);
  const names = Joi.object({ a: Joi.any(), b: Joi.any(), c: Joi.any() });
  const rules: [Joi.ObjectSchema, object, string][] = [
    [names.or('a', 'b'), {}, 'a'],
    [names.xor('b', 'c'), { b: 1, c: 1 }, 'b'],
    [names.xor('b', 'c'), {}, 'b'],
    [names.oxor('a', 'c'), { a: 1, c: 1 }, 'a'],
    [names.with('a', 'b'), { a: 1 }, 'b'],
    [names.without('a', 'c'), { a: 1, c: 1 }, 'c'],
    [names.nand('a', 'b'), { a: 1, b: 1 }, 'b'],
  ];
  for (const [rule, value, field] of rules)
    expect(() => check(rule.label('body'), value, false)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ field })] }),
    );
  expect(problemsOf(1)).toEqual([{ field: undefined, message: 'body must be of type object' }]);
});

test('a number above 2^53, which comes as its text, is answered with the range that it misses', () => {
  const asked = Joi.object({
    amounts: Joi.array().items(amount()),
    days: Joi.number().integer().max(3_650),
    text: Joi.alternatives(Joi.string().max(3), Joi.number()),
  });
  const complaints = (value: object) => {
    try {
      check(asked, value, false);
      return [];
    } catch (error) {
      return (error as Refusal).problems.map(({ message }) => message);
    }
  };
  expect(complaints({ amounts: [1, '9007199254740993', '-1e400'], days: '1e20' })).toEqual([
    'amounts.1 must be less than or equal to 100000000000',
    'amounts.2 must be greater than or equal to -100000000000',
    'days must be less than or equal to 3650',
  ]);
  expect(complaints({ amounts: [100_000_000_001] })).toEqual([
    'amounts.0 must be less than or equal to 100000000000',
  ]);
  expect(complaints({ amounts: ['5', '9007199254740993 €'], days: '2020-01-01' })).toEqual([
    'amounts.0 must be a number',
    'amounts.1 must be a number',
    'days must be a number',
  ]);
});

import type { Problem, Refusal } from '@laurel/errors';
import Joi from 'joi';
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

test('what is wrong with the whole is a problem of the first member that is missing', () => {
  expect(problemsOf({ effects: [] })).toEqual([
    { field: 'rows', message: 'body contains [effects] without its required peers [rows]' },
  ]);
  expect(problemsOf(1)).toEqual([{ field: undefined, message: 'body must be of type object' }]);
});

import Joi from 'joi';
import type { Answer } from './answer';
import type { Input, Route } from './route';
import { answerOf, takingPage } from './whole-list';

const rows = ['a', 'b', 'c', 'd'];

/** A list of four, which says what it was asked for. */
function listOf(query?: Joi.ObjectSchema) {
  const asked: unknown[] = [];
  const route = {
    reply: Joi.array().items(Joi.string()),
    ...(query ? { query } : {}),
    async handle(input: Input<string, unknown, unknown>): Promise<Answer> {
      asked.push(input.query);
      return { body: { data: rows, meta: { etag: '1' } } };
    },
  };
  return { asked, route: takingPage(route as unknown as Route), given: route as unknown as Route };
}

const get = async ({ route }: ReturnType<typeof listOf>, query: object): Promise<unknown> => {
  const { value, error } = route.query!.validate(query, { convert: true });
  if (error) return error.message;
  return (await answerOf(route, { query: value } as Input<string, unknown, unknown>)).body;
};

test('a list that comes as a whole is cut to limit and offset, and its own query is asked without them', async () => {
  const list = listOf(Joi.object({ key: Joi.string() }));
  const meta = { etag: '1' };
  expect(await get(list, {})).toEqual({ data: rows, meta });
  expect(await get(list, { limit: '2' })).toEqual({ data: ['a', 'b'], meta });
  expect(await get(list, { offset: 3, limit: 1000 })).toEqual({ data: ['d'], meta });
  expect(await get(list, { key: 'x', offset: 9 })).toEqual({ data: [], meta });
  expect(list.asked).toEqual([{}, {}, {}, { key: 'x' }]);
});

test.each([[{ limit: 0 }], [{ limit: 1001 }], [{ limit: 'all' }], [{ offset: -1 }], [{ size: 3 }]])(
  'a list that comes as a whole refuses %j',
  async (query) => {
    expect(await get(listOf(), query)).toMatch(/"(limit|offset|size)"/);
  },
);

test('a list that has pages of its own, and what is no list, stay as they are', () => {
  const { route } = listOf(Joi.object({ limit: Joi.number() }));
  expect(route.isWhole).toBeUndefined();
  const one = { ...listOf().given, reply: Joi.object({}) };
  expect(takingPage(one)).toBe(one);
});

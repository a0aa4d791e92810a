import { encodeCursor } from '@laurel/mongo';
import { type Matches, readPage, type Sort } from './page';

const ROWS = ['a', 'b', 'c', 'd'].map((_id) => ({ _id }));
const SORT: Sort = { column: '_id', descending: false };

const over = (rows: typeof ROWS): Matches<(typeof ROWS)[number]> => ({
  sort: () => over(rows),
  skip: (count) => over(rows.slice(count)),
  limit: (count) => over(rows.slice(0, count)),
  toArray: async () => rows,
});
/** The rows as the store would find them. */
const find = (matching: object) => {
  const { _id: { $gt: after = '' } = {} } = matching as { _id?: { $gt: string } };
  return over(ROWS.filter(({ _id }) => _id > after));
};

test('a list that ends with its page has no cursor to an empty one', async () => {
  const first = await readPage({ find }, SORT, { limit: 2, offset: 0 });
  expect([first.rows.length, first.nextCursor === null]).toEqual([2, false]);
  const cursor = first.nextCursor!;
  const last = await readPage({ find }, SORT, { limit: 2, offset: 0, cursor });
  expect(last).toEqual({ rows: ROWS.slice(2), nextCursor: null });
  expect((await readPage({ find }, SORT, { limit: 4, offset: 0 })).nextCursor).toBeNull();
  expect((await readPage({ find }, SORT, { limit: 3, offset: 0 })).nextCursor).not.toBeNull();
});

test.each<[string, unknown[], unknown[]]>([
  ['first_name', [null, 'A', '', 'x'.repeat(300)], []],
  ['marketing_consent', [null, true, false], []],
  ['columns.registration_date', [null, { at: 0 }, { at: -8.64e15 }], ['2026-01-01', 0, true]],
  ['birth_date', [null, '1990-05-01'], []],
  ['columns.birth_date', [null, { at: 0 }], []],
  ['date_created', [null, { at: 1 }], [{ at: 1, $gt: 0 }, { at: '1' }, { at: 1e300 }, { at: 0.5 }]],
])('a cursor of a list by %s is asked for no more than a value', async (column, values, others) => {
  const asked: object[] = [];
  const by = { column, descending: false };
  const listed = {
    find: (matching: object) => {
      asked.push(matching);
      return over([]);
    },
  };
  const page = (value: unknown) => {
    const cursor = encodeCursor({ sort: column, id: 'a', value: value as never });
    return readPage(listed, by, { limit: 1, offset: 0, cursor });
  };
  for (const value of values) await page(value);
  expect(asked.length).toBeGreaterThan(0);
  expect(JSON.stringify(asked)).not.toContain('"at"');
  asked.length = 0;
  const conditions = [{ $foo: 1 }, { $regex: '.' }, { $gt: '' }, [], ['a'], {}, { _bsontype: 'x' }];
  for (const value of [...conditions, ...others])
    await expect(page(value)).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      problems: [{ field: 'cursor' }],
    });
  expect(asked).toEqual([]);
});

test('a cursor that leaves an object to its row is refused where there is no such row', async () => {
  const cursor = encodeCursor({ sort: 'first_name', id: 'a' });
  const by = { column: 'first_name', descending: false };
  for (const row of [undefined, async () => null])
    await expect(
      readPage({ find, ...(row ? { row } : {}) }, by, { limit: 1, offset: 0, cursor }),
    ).rejects.toMatchObject({ problems: [{ field: 'cursor' }] });
});

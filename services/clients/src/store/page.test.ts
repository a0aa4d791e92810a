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
  const first = await readPage(find, SORT, { limit: 2, offset: 0 });
  expect([first.rows.length, first.nextCursor === null]).toEqual([2, false]);
  const last = await readPage(find, SORT, { limit: 2, offset: 0, cursor: first.nextCursor! });
  expect(last).toEqual({ rows: ROWS.slice(2), nextCursor: null });
  expect((await readPage(find, SORT, { limit: 4, offset: 0 })).nextCursor).toBeNull();
  expect((await readPage(find, SORT, { limit: 3, offset: 0 })).nextCursor).not.toBeNull();
});

import { readPage, type Sort } from './page';

const ROWS = ['a', 'b', 'c', 'd'].map((_id) => ({ _id }));
const SORT: Sort = { column: '_id', descending: false };

/** The rows as the store would read them. */
const read = async (matching: object, { skip, limit }: { skip: number; limit: number }) => {
  const { _id: { $gt: after = '' } = {} } = matching as { _id?: { $gt: string } };
  return ROWS.filter(({ _id }) => _id > after).slice(skip, skip + limit);
};

test('a list that ends with its page has no cursor to an empty one', async () => {
  const first = await readPage(read, SORT, { limit: 2, offset: 0 });
  expect([first.rows.length, first.nextCursor === null]).toEqual([2, false]);
  const last = await readPage(read, SORT, { limit: 2, offset: 0, cursor: first.nextCursor! });
  expect(last).toEqual({ rows: ROWS.slice(2), nextCursor: null });
  expect((await readPage(read, SORT, { limit: 4, offset: 0 })).nextCursor).toBeNull();
  expect((await readPage(read, SORT, { limit: 3, offset: 0 })).nextCursor).not.toBeNull();
});

import { partOf } from './paging';

test('the parts of a list that came as a whole are all of it, each row once', () => {
  const rows = Array.from({ length: 101 }, (_, at) => at);
  const parts = [0, 50, 100].map((offset) => partOf(rows, { query: { limit: 50, offset } }));
  expect(parts.flatMap(({ data }) => data)).toEqual(rows);
  expect(parts.map(({ meta }) => meta.total)).toEqual([101, 101, 101]);
});

import { inPages } from './in-pages';

async function* numbers(count: number) {
  for (let number = 1; number <= count; number += 1) yield number;
}

test.each([
  [0, []],
  [3, [[1, 2, 3]]],
  [4, [[1, 2, 3], [4]]],
])('%i items come in pages of three, none of them empty', async (count, pages) => {
  const given = [];
  for await (const page of inPages(numbers(count), 3)) given.push(page);
  expect(given).toEqual(pages);
});

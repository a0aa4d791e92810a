import { createSharedLookups } from './shared-lookups';

test('an answer was always read after its question', async () => {
  let value = 1;
  const read = createSharedLookups<string, number>(async (keys) => {
    const seen = value;
    await new Promise((resolve) => setImmediate(resolve));
    return new Map(keys.map((key) => [key, seen]));
  });
  const first = read('a');
  await Promise.resolve();
  await Promise.resolve();
  value = 2;
  const second = read('a');
  expect(await Promise.all([first, second])).toEqual([1, 2]);
});

test('a read that fails fails those who waited for it alone', async () => {
  let fail = true;
  const read = createSharedLookups<string, number>(async (keys) => {
    if (fail) throw new Error('down');
    return new Map(keys.map((key) => [key, 7]));
  });
  await expect(read('a')).rejects.toThrow('down');
  fail = false;
  expect(await read('a')).toBe(7);
});

import { createKeptResponses } from './kept-responses';

test('what takes long is not waited for, and is there for who asks once it is', async () => {
  const ask = createKeptResponses<number>(() => 0, 1);
  let answer: (value: number) => void = () => undefined;
  let counted = 0;
  const count = () => {
    counted += 1;
    return new Promise<number>((resolve) => {
      answer = resolve;
    });
  };
  expect(await Promise.all([ask('a', count), ask('a', count)])).toEqual([null, null]);
  answer(7);
  expect(await ask('a', count)).toBe(7);
  expect(counted).toBe(1);
});

test('what could not be counted is refused to who waits, and counted anew', async () => {
  let time = 0;
  const ask = createKeptResponses<number>(() => time);
  await expect(ask('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  expect(await ask('a', async () => 1)).toBe(1);
  expect(await ask('a', async () => 2)).toBe(1);
  time = 60_000;
  expect(await ask('a', async () => 2)).toBe(2);
});

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

test('a read whose answer never comes holds up those who ask later for five seconds, and no longer', async () => {
  jest.useFakeTimers();
  try {
    let isLost = true;
    const read = createSharedLookups<string, number>(async (keys) => {
      if (isLost) await new Promise(() => undefined);
      return new Map(keys.map((key) => [key, 7]));
    });
    void read('a');
    await jest.advanceTimersByTimeAsync(1);
    isLost = false;
    const answered = jest.fn();
    for (const key of ['a', 'b']) void read(key).then(answered);
    await jest.advanceTimersByTimeAsync(4_900);
    expect(answered).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(100);
    expect(answered.mock.calls).toEqual([[7], [7]]);
    expect(await read('a')).toBe(7);
  } finally {
    jest.useRealTimers();
  }
});

test('a read that is slow is asked for once more beside itself and not again, however many ask', async () => {
  jest.useFakeTimers();
  try {
    const begun: ((value: number) => void)[] = [];
    const read = createSharedLookups<string, number>(async (keys) => {
      const value = await new Promise<number>((resolve) => {
        begun.push(resolve);
      });
      return new Map(keys.map((key) => [key, value]));
    });
    const asked: Promise<number | undefined>[] = [];
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      asked.push(read(key));
      await jest.advanceTimersByTimeAsync(6_000);
    }
    expect(begun).toHaveLength(2);
    begun[1]!(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toHaveLength(3);
    begun[0]!(1);
    begun[2]!(3);
    expect(await Promise.all(asked)).toEqual([1, 2, 3, 3, 3]);
  } finally {
    jest.useRealTimers();
  }
});

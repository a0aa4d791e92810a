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

test('reads whose answers never come are passed by one after the other, as where several connections have died unseen', async () => {
  jest.useFakeTimers();
  try {
    let lost = 4;
    const read = createSharedLookups<string, number>(async (keys) => {
      if (lost > 0) {
        lost -= 1;
        await new Promise(() => undefined);
      }
      return new Map(keys.map((key) => [key, 7]));
    });
    for (const key of ['a', 'b', 'c', 'd']) {
      void read(key);
      await jest.advanceTimersByTimeAsync(5_000);
    }
    expect(lost).toBe(0);
    expect(await read('e')).toBe(7);
  } finally {
    jest.useRealTimers();
  }
});

test('reads that are slow are asked for five times beside each other and not again, however many ask', async () => {
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
    for (const key of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      asked.push(read(key));
      await jest.advanceTimersByTimeAsync(6_000);
    }
    expect(begun).toHaveLength(5);
    begun[1]!(2);
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toHaveLength(6);
    for (const [at, end] of begun.entries()) end(at + 1);
    expect(await Promise.all(asked)).toEqual([1, 2, 3, 4, 5, 6, 6]);
  } finally {
    jest.useRealTimers();
  }
});

import { until } from './until';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** When it looked, in ms after the first look. */
async function looksOf(options: Parameters<typeof until>[1]): Promise<number[]> {
  const startedAt = Date.now();
  const looks: number[] = [];
  const waiting = until(() => {
    looks.push(Date.now() - startedAt);
    return false;
  }, options);
  const ended = expect(waiting).rejects.toThrow('did not come about');
  await jest.advanceTimersByTimeAsync(10_000);
  await ended;
  return looks;
}

test('looks often at first, and less often the longer it waits', async () => {
  const looks = await looksOf({ withinMs: 5_000 });
  expect(looks.slice(0, 4)).toEqual([0, 20, 40, 60]);
  expect(looks.filter((at) => at <= 1_000).length).toBeLessThan(20);
  const pauses = looks.slice(1).map((at, before) => at - looks[before]!);
  expect(Math.max(...pauses)).toBe(500);
});

test('looks no more often than it is to', async () => {
  expect((await looksOf({ withinMs: 1_000, everyMs: 400 })).slice(0, 3)).toEqual([0, 400, 800]);
});

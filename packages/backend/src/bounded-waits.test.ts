import { createBoundedWaits, WaitedTooLong } from './bounded-waits';

const MS_MAX = 1_000;
const nothing = () => undefined;
const never = new Promise<never>(nothing);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('what is answered in time is passed on, and what fails fails as it did', async () => {
  const bounded = createBoundedWaits('redis', MS_MAX);
  await expect(bounded(Promise.resolve(7))).resolves.toBe(7);
  await expect(bounded(Promise.reject(new Error('no')))).rejects.toThrow('no');
});

test('what is never answered is given up once its time is over, not before, and not later than a turn', async () => {
  const bounded = createBoundedWaits('redis', MS_MAX);
  const given: number[] = [];
  const begunAt = Date.now();
  const wait = () => bounded(never).catch(() => given.push(Date.now() - begunAt));
  void wait();
  await jest.advanceTimersByTimeAsync(MS_MAX / 2);
  void wait();
  await jest.advanceTimersByTimeAsync(3 * MS_MAX);
  expect(given).toHaveLength(2);
  expect(given[0]).toBeGreaterThanOrEqual(MS_MAX);
  expect(given[0]).toBeLessThanOrEqual(1.5 * MS_MAX);
  expect(given[1]).toBeGreaterThanOrEqual(1.5 * MS_MAX);
});

test('an answer that waits while the process is busy still counts', async () => {
  const bounded = createBoundedWaits('redis', MS_MAX);
  let answer: (value: string) => void = nothing;
  const waited = bounded(new Promise<string>((resolve) => (answer = resolve)));
  // The loop stood still for a minute: then timers run once, and what came in meanwhile is read.
  jest.setSystemTime(Date.now() + 60_000);
  await jest.advanceTimersByTimeAsync(MS_MAX / 4);
  answer('late, through no fault of yours');
  await expect(waited).resolves.toBe('late, through no fault of yours');
});

test('nothing turns while no caller waits', async () => {
  const bounded = createBoundedWaits('redis', MS_MAX);
  await bounded(Promise.resolve());
  await jest.advanceTimersByTimeAsync(MS_MAX);
  expect(jest.getTimerCount()).toBe(0);
  await expect(
    Promise.all([bounded(never), jest.advanceTimersByTimeAsync(2 * MS_MAX)]),
  ).rejects.toThrow(WaitedTooLong);
});

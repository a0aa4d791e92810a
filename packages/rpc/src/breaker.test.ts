import { runInContext, systemContext } from '@laurel/lifecycle';
import { createBreakers, NotReached } from './breaker';

const WINDOW_MS = 5_000;
/** As many calls as it takes before failures among them count. */
const ENOUGH = 20;
const CONNECTED = { isSought: () => false, found: () => Promise.resolve(true) };
const missed = () => Promise.reject(new NotReached(new Error('away')));

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

/** @returns how many of the calls got as far as the wire */
async function call(breakers: ReturnType<typeof createBreakers>, times: number): Promise<number> {
  let reached = 0;
  const count = () => {
    reached += 1;
    return missed();
  };
  await runInContext(systemContext(), async () => {
    for (let made = 0; made < times; made += 1) await breakers.fire(count).catch(() => undefined);
  });
  return reached;
}

test('failures that come together close the way to a service, and those that lie further apart than the window do not', async () => {
  const breakers = createBreakers('identity', CONNECTED);
  const others = createBreakers('clients', CONNECTED);
  const few = ENOUGH - 1;
  for (let round = 0; round < 5; round += 1) {
    expect(await call(breakers, few)).toBe(few);
    jest.advanceTimersByTime(WINDOW_MS + 1_000);
  }
  // The clock is everybody's, and goes on after one client has left.
  others.shutdown();
  expect(await call(breakers, few)).toBe(few);
  jest.advanceTimersByTime(WINDOW_MS + 1_000);
  expect(await call(breakers, few)).toBe(few);
  expect(await call(breakers, few)).toBeLessThan(few);
  breakers.shutdown();
});

test('breakers wake a process by one clock for all of them, which ends with the last', () => {
  const idle = jest.getTimerCount();
  const made = ['identity', 'clients', 'ledger'].map((name) => createBreakers(name, CONNECTED));
  expect(jest.getTimerCount() - idle).toBe(1);
  for (const breakers of made) breakers.shutdown();
  expect(jest.getTimerCount()).toBe(idle);
});

test('who was kept away for want of a connection is let through as soon as there is one', async () => {
  let connect = (_isFound: boolean) => {};
  const found = jest.fn(() => new Promise<boolean>((resolve) => (connect = resolve)));
  const breakers = createBreakers('identity', { isSought: () => true, found });
  expect(await call(breakers, ENOUGH + 5)).toBe(ENOUGH);
  expect(await call(breakers, 1)).toBe(0);
  // A call that looks whether the service is back finds it away: that is no reason to wait twice.
  jest.advanceTimersByTime(2_000);
  expect(await call(breakers, 2)).toBe(1);
  expect(found).toHaveBeenCalledTimes(1);
  connect(true);
  await jest.advanceTimersByTimeAsync(0);
  expect(await call(breakers, 1)).toBe(1);
  breakers.shutdown();
});

test('a channel that is closed, and a service that is connected and away, let no call through', async () => {
  const closed = { isSought: () => true, found: () => Promise.resolve(false) };
  for (const connection of [closed, CONNECTED]) {
    const breakers = createBreakers('identity', connection);
    await call(breakers, ENOUGH);
    await jest.advanceTimersByTimeAsync(0);
    expect(await call(breakers, 1)).toBe(0);
    breakers.shutdown();
  }
});

import { runInContext, systemContext } from '@laurel/lifecycle';
import { createBreakers, NotReached } from './breaker';

const WINDOW_MS = 5_000;
/** As many calls as it takes before failures among them count. */
const ENOUGH = 20;
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
  const breakers = createBreakers('identity');
  const others = createBreakers('clients');
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
  const made = ['identity', 'clients', 'ledger'].map(createBreakers);
  expect(jest.getTimerCount() - idle).toBe(1);
  for (const breakers of made) breakers.shutdown();
  expect(jest.getTimerCount()).toBe(idle);
});

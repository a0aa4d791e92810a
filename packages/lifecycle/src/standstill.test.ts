import { watchStandstills } from './standstill';

const SECOND = 1_000;

/** A process whose timers run, but while it stands still. */
function process() {
  let at = 0;
  const standstills = watchStandstills(() => at);
  return {
    standstills,
    run(ms: number): void {
      for (const end = at + ms; at < end; ) {
        at += 100;
        jest.advanceTimersByTime(100);
      }
    },
    standStill(ms: number): void {
      at += ms;
    },
  };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('what is read right after a standstill may have waited for as long, and what comes later has not', () => {
  const it = process();
  it.run(10 * SECOND);
  expect(it.standstills.waitedMsMax()).toBe(0);
  it.standStill(20 * SECOND);
  expect(it.standstills.waitedMsMax()).toBeGreaterThanOrEqual(20 * SECOND);
  it.run(4 * SECOND);
  expect(it.standstills.waitedMsMax()).toBeGreaterThanOrEqual(20 * SECOND);
  it.run(2 * SECOND);
  expect(it.standstills.waitedMsMax()).toBe(0);
});

test('a standstill is noticed by the clock, too, where nothing was read right after it', () => {
  const it = process();
  it.standStill(20 * SECOND);
  it.run(100);
  expect(it.standstills.waitedMsMax()).toBeGreaterThanOrEqual(20 * SECOND);
});

test('a process that is only busy has kept no message waiting', () => {
  const it = process();
  it.standStill(2 * SECOND);
  expect(it.standstills.waitedMsMax()).toBe(0);
});

test('what was begun before a standstill hears of it, and what began after it does not', () => {
  const it = process();
  it.run(SECOND);
  it.standStill(20 * SECOND);
  expect([it.standstills.isAnySince(SECOND), it.standstills.isAnySince(21 * SECOND)]).toEqual([
    true,
    false,
  ]);
});

import { heapOfThisProcess, tidyAtRest } from './tidying';

const MINUTE_MS = 60_000;
const MB = 2 ** 20;

beforeEach(() => {
  jest.useFakeTimers();
});

afterEach(() => {
  jest.useRealTimers();
});

function heapOf(usedMb: number, livingMb: number) {
  const state = { used: usedMb * MB, busyShare: 0 };
  const collect = jest.fn(() => {
    state.used = livingMb * MB;
  });
  const timer = tidyAtRest({
    busyShare: () => state.busyShare,
    usedBytes: () => state.used,
    collect,
  });
  return { state, collect, timer };
}

test('what a start left behind, and what grew since, is given back in a minute with little to do', () => {
  const { state, collect, timer } = heapOf(200, 100);
  jest.advanceTimersByTime(MINUTE_MS);
  expect(collect).toHaveBeenCalledTimes(1);
  state.used += 20 * MB;
  jest.advanceTimersByTime(3 * MINUTE_MS);
  expect(collect).toHaveBeenCalledTimes(1);
  state.used += 20 * MB;
  jest.advanceTimersByTime(MINUTE_MS);
  expect(collect).toHaveBeenCalledTimes(2);
  timer.cancel();
});

test('a process that is at work is not stopped for it, however much it holds', () => {
  const { state, collect, timer } = heapOf(900, 100);
  state.busyShare = 0.5;
  jest.advanceTimersByTime(10 * MINUTE_MS);
  expect(collect).not.toHaveBeenCalled();
  state.busyShare = 0.1;
  jest.advanceTimersByTime(MINUTE_MS);
  expect(collect).toHaveBeenCalledTimes(1);
  timer.cancel();
});

test('of this very process, what nothing holds any longer is collected', () => {
  const heap = heapOfThisProcess();
  let large: number[] | null = Array.from({ length: 8_000_000 }, (_, n) => n * 1.5);
  const held = heap.usedBytes();
  expect(large.length).toBeGreaterThan(0);
  large = null;
  heap.collect();
  expect(held - heap.usedBytes()).toBeGreaterThan(32 * MB);
});

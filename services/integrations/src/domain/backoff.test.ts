import { backoffMs, MESSAGE_ATTEMPTS_MAX, untilSaleMs } from './backoff';

test('each wait is twice as long as the last; eight tries take about two minutes', () => {
  const waits = Array.from({ length: MESSAGE_ATTEMPTS_MAX - 1 }, (_, index) =>
    backoffMs(index + 1),
  );
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000]);
  expect(backoffMs(30)).toBe(300_000);
});

test('a refund looks for its sale for longer than the sale is tried, and within a minute of each moment that it may come', () => {
  const looks = [0];
  for (let wait = untilSaleMs(0); wait !== null; wait = untilSaleMs(looks.at(-1)!))
    looks.push(looks.at(-1)! + wait);
  expect(looks.slice(0, 5)).toEqual([0, 1_000, 2_000, 4_000, 8_000]);
  expect(looks.at(-1)).toBe(600_000);
  const waits = looks.slice(1).map((at, index) => at - looks[index]!);
  expect(Math.max(...waits)).toBe(60_000);
  const tries = Array.from({ length: MESSAGE_ATTEMPTS_MAX - 1 }, (_, index) =>
    backoffMs(index + 1),
  );
  expect(looks.at(-1)).toBeGreaterThan(tries.reduce((sum, wait) => sum + wait, 0));
});

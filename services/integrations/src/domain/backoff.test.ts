import { backoffMs, MESSAGE_ATTEMPTS_MAX } from './backoff';

test('each wait is twice as long as the last; eight tries take about two minutes', () => {
  const waits = Array.from({ length: MESSAGE_ATTEMPTS_MAX - 1 }, (_, index) =>
    backoffMs(index + 1),
  );
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000]);
  expect(backoffMs(30)).toBe(300_000);
});

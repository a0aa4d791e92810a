import { FAULTS_MAX, retryMs } from './retry';

test('what met a fault is tried again after half a second, then after four times as long each time, up to half an hour', () => {
  const waits = Array.from({ length: FAULTS_MAX }, (_, faults) => retryMs(faults));
  expect(waits).toEqual([500, 2_000, 8_000, 32_000, 128_000, 512_000, 1_800_000, 1_800_000]);
});

import { spawnSync } from 'node:child_process';
import { soundAlarm } from './broker.mjs';

test('a broker that has just died is short of nothing, which ends no run', async () => {
  const { pid } = spawnSync('true');
  expect(await soundAlarm(pid, { of: 'memory', forMs: 1 })).toBe(false);
});

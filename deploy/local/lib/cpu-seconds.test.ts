import { spawnSync } from 'node:child_process';
import { cpuSeconds, readStat } from './cpu-seconds.mjs';

test('times are read whatever a command is named', () => {
  const times = '10 20 300 4000';
  const stat = `42 (odd ) name (x) S 7 42 42 0 -1 4194304 1 2 3 4 ${times} 20 0 1 0 99 0 0`;
  expect(readStat(stat)).toEqual({ pid: 42, parent: 7, ticks: 4330 });
});

test('children and theirs count, whatever their numbers, and no others do', () => {
  const running = [
    { pid: 3, parent: 50, ticks: 100 },
    { pid: 10, parent: 1, ticks: 200 },
    { pid: 50, parent: 10, ticks: 400 },
    { pid: 60, parent: 1, ticks: 800 },
  ];
  expect(cpuSeconds(10, running)).toBe(7);
});

test('what a child has used up before it ended is counted', () => {
  const before = cpuSeconds();
  spawnSync(process.execPath, ['-e', 'while (process.cpuUsage().user < 3e5);']);
  expect(cpuSeconds() - before).toBeGreaterThan(0.29);
});

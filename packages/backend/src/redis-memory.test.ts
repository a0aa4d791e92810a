import { readMemory } from './redis-memory';

const told = (maxmemory: number) =>
  [
    '# Memory',
    'used_memory:2000',
    'used_memory_human:2.0K',
    'total_system_memory:90000',
    `maxmemory:${maxmemory}`,
    'maxmemory_policy:volatile-lru',
    '# Stats',
    'evicted_keys:7',
    '',
  ].join('\r\n');

test('a node with a limit is full at its limit', () => {
  expect(readMemory(told(4_000))).toEqual({
    usedBytes: 2_000,
    limitBytes: 4_000,
    isLimited: true,
    policy: 'volatile-lru',
    evictedKeys: 7,
  });
});

test('a node without a limit is full when its machine is', () => {
  expect(readMemory(told(0))).toMatchObject({ limitBytes: 90_000, isLimited: false });
});

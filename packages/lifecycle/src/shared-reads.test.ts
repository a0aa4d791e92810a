import { createSharedReads } from './shared-reads';

/** Reads that end when the test lets them. */
function heldReads() {
  const begun: { key: string; end: (value: string) => void; fail: (error: Error) => void }[] = [];
  const read = createSharedReads(
    (...parts: string[]) =>
      new Promise<string>((resolve, reject) => {
        begun.push({ key: parts.join(' '), end: resolve, fail: reject });
      }),
  );
  return { begun, read };
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('all who ask in the same moment share one read', async () => {
  const { begun, read } = heldReads();
  const asked = [read('a', 'x'), read('a', 'x'), read('a', 'x')];
  await turn();
  expect(begun.map(({ key }) => key)).toEqual(['a x']);
  begun[0]!.end('rules');
  expect(await Promise.all(asked)).toEqual(['rules', 'rules', 'rules']);
});

test('who asks while a read is under way gets one that begins later, and shares it with all others who do', async () => {
  const { begun, read } = heldReads();
  const first = read('a');
  await turn();
  const later = [read('a'), read('a')];
  await turn();
  expect(begun).toHaveLength(1);
  begun[0]!.end('before');
  expect(await first).toBe('before');
  await turn();
  expect(begun).toHaveLength(2);
  begun[1]!.end('after');
  expect(await Promise.all(later)).toEqual(['after', 'after']);
});

test('reads of different keys do not wait for each other', async () => {
  const { begun, read } = heldReads();
  const asked = [read('a'), read('b')];
  await turn();
  expect(begun.map(({ key }) => key)).toEqual(['a', 'b']);
  begun[1]!.end('b');
  expect(await asked[1]).toBe('b');
  begun[0]!.end('a');
  expect(await asked[0]).toBe('a');
});

test('a read that fails fails for those who share it, and the next one is read anew', async () => {
  const { begun, read } = heldReads();
  const first = read('a');
  const failed = expect(first).rejects.toThrow('away');
  await turn();
  const second = read('a');
  begun[0]!.fail(new Error('away'));
  await failed;
  await turn();
  begun[1]!.end('back');
  expect(await second).toBe('back');
});

test('a read whose answer never comes holds up those who ask the same later for five seconds, and no longer', async () => {
  jest.useFakeTimers();
  try {
    const { begun, read } = heldReads();
    void read('a');
    await jest.advanceTimersByTimeAsync(1);
    const later = [read('a'), read('a')];
    await jest.advanceTimersByTimeAsync(4_900);
    expect(begun).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(100);
    expect(begun).toHaveLength(2);
    begun[1]!.end('after');
    expect(await Promise.all(later)).toEqual(['after', 'after']);
  } finally {
    jest.useRealTimers();
  }
});

test('a read that is slow is asked for once more beside itself and not again, however many ask', async () => {
  jest.useFakeTimers();
  try {
    const { begun, read } = heldReads();
    const asked: Promise<string>[] = [];
    for (let reader = 0; reader < 5; reader += 1) {
      asked.push(read('a'));
      await jest.advanceTimersByTimeAsync(6_000);
    }
    expect(begun).toHaveLength(2);
    begun[0]!.end('first');
    expect(await asked[0]).toBe('first');
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toHaveLength(3);
    begun[1]!.end('second');
    expect(await asked[1]).toBe('second');
    begun[2]!.end('third');
    expect(await Promise.all(asked.slice(2))).toEqual(['third', 'third', 'third']);
  } finally {
    jest.useRealTimers();
  }
});

test('two reads whose answers never come hold up those who ask later for as long as the store is waited for', async () => {
  jest.useFakeTimers();
  try {
    const { begun, read } = heldReads();
    void read('a');
    await jest.advanceTimersByTimeAsync(1);
    void read('a');
    await jest.advanceTimersByTimeAsync(5_000);
    const later = read('a');
    await jest.advanceTimersByTimeAsync(114_900);
    expect(begun).toHaveLength(2);
    await jest.advanceTimersByTimeAsync(100);
    expect(begun).toHaveLength(3);
    begun[2]!.end('after');
    expect(await later).toBe('after');
  } finally {
    jest.useRealTimers();
  }
});

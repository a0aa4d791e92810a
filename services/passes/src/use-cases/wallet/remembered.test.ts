import { remembering } from './remembered';

test('is made once for all who ask at the same time', async () => {
  let made = 0;
  const remember = remembering<number>({ max: 2, keptMs: 60_000 });
  const make = async () => {
    made += 1;
    return made;
  };
  expect(await Promise.all([1, 2, 3].map(() => remember('a', make)))).toEqual([1, 1, 1]);
  expect(await remember('b', make)).toBe(2);
  expect(await remember('c', make)).toBe(3);
  expect(await remember('a', make)).toBe(4);
});

test('is made anew after a failure, and when it was kept long enough', async () => {
  const remember = remembering<string>({ max: 2, keptMs: 0 });
  await expect(remember('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await remember('a', async () => 'first')).toBe('first');
  expect(await remember('a', async () => 'second')).toBe('second');
});

test('what is not to be kept is made once for all who ask at the same time, and anew afterwards', async () => {
  let made = 0;
  const remember = remembering<number>({ max: 2, keptMs: 60_000, keeps: (one) => one > 1 });
  const make = async () => {
    made += 1;
    return made;
  };
  expect(await Promise.all([remember('a', make), remember('a', make)])).toEqual([1, 1]);
  expect(await remember('a', make)).toBe(2);
  expect(await remember('a', make)).toBe(2);
  remember.forget('a');
  expect(await remember('a', make)).toBe(3);
});

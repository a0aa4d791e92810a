import { createDelay } from './delays';

test('holds nothing back unless it is asked to', () => {
  expect(createDelay(0, () => 0)()).toBeUndefined();
});

test('holds some commands back and lets others pass', async () => {
  const drawn = [0.3, 0.5, 0.9];
  const delay = createDelay(1, () => drawn.shift()!);
  await expect(delay()).resolves.toBeUndefined();
  expect(delay()).toBeUndefined();
  expect(drawn).toEqual([]);
});

import { createTurnstile } from './turnstile';

test('a turnstile lets no more in than it may, in their order, and the next after one that failed', async () => {
  const pass = createTurnstile(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const all = [0, 1, 2, 3].map((number) =>
    pass(async () => {
      begun.push(number);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (number === 0) throw new Error('broken');
      return number;
    }),
  );
  const [first, ...others] = all;
  expect(begun).toEqual([0, 1]);
  ends[0]!();
  await expect(first).rejects.toThrow('broken');
  expect(begun).toEqual([0, 1, 2]);
  ends[1]!();
  await others[0];
  expect(begun).toEqual([0, 1, 2, 3]);
  for (const end of ends) end();
  await expect(Promise.all(others)).resolves.toEqual([1, 2, 3]);
});

import { createRareWarning } from './rare-warning';

test('what fails with each request is warned of at once, and then each minute with how often it was', () => {
  const said: unknown[] = [];
  let now = 0;
  const warn = (details: unknown, message: unknown) => void said.push([details, message]);
  const warning = createRareWarning({ warn } as never, 'Redis is away', () => now);
  const error = new Error('away');
  for (; now < 60_000; now += 100) warning(error);
  expect(said).toEqual([[{ err: error, times: 1 }, 'Redis is away']]);
  warning(error);
  expect(said[1]).toEqual([{ err: error, times: 600 }, 'Redis is away']);
});

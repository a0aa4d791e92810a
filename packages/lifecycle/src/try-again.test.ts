import { tryAgain } from './try-again';

/** Fails with these, one after the other, and then does what it is for. */
const failing = (...errors: Error[]) => {
  const left = [...errors];
  return jest.fn(async () => {
    const error = left.shift();
    if (error) throw error;
    return 'done';
  });
};
const taken = new Error('taken');
const on = (error: unknown) => error === taken;

test('what fails for a reason that may pass is done again, and no more than once when it succeeds', async () => {
  const work = failing(taken, taken);
  await expect(tryAgain({ on, triesMax: 3 }, work)).resolves.toBe('done');
  expect(work).toHaveBeenCalledTimes(3);
});

test('after as many tries as there may be the last failure comes out', async () => {
  const work = failing(taken, taken, taken);
  await expect(tryAgain({ on, triesMax: 2 }, work)).rejects.toBe(taken);
  expect(work).toHaveBeenCalledTimes(2);
});

test('another failure comes out at once', async () => {
  const other = new Error('other');
  const work = failing(other);
  await expect(tryAgain({ on, triesMax: 3 }, work)).rejects.toBe(other);
  expect(work).toHaveBeenCalledTimes(1);
});

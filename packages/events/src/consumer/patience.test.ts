import { platform } from '@laurel/errors';
import { createPatience } from './patience';

class MongoNetworkError extends Error {
  override readonly name = 'MongoNetworkError';
}

const away = () => new MongoNetworkError('connection lost');

/** Work that fails in the given ways, one after the other, and then does not. */
function failing(...errors: Error[]) {
  const left = [...errors];
  const work = async (): Promise<string> => {
    work.calls += 1;
    const error = left.shift();
    if (error) throw error;
    return 'done';
  };
  work.calls = 0;
  return work;
}

test('work that meets an outage of the store or of a service is done when it is over', async () => {
  const patiently = createPatience(new AbortController().signal);
  const work = failing(away(), platform.serviceUnavailable());
  expect(await patiently(work)).toBe('done');
  expect(work.calls).toBe(3);
});

test.each([
  ['a fault', new Error('a mistake of ours')],
  ['a no', platform.conflict()],
])('%s is not waited for', async (_, error) => {
  const patiently = createPatience(new AbortController().signal);
  const work = failing(error);
  await expect(patiently(work)).rejects.toBe(error);
  expect(work.calls).toBe(1);
});

test('an outage that lasts is not waited for for ever', async () => {
  const patiently = createPatience(new AbortController().signal, 300);
  const error = away();
  await expect(patiently(() => Promise.reject(error))).rejects.toBe(error);
});

test('each wait is twice as long as the last, and none is begun that would be too long in all', async () => {
  // A quarter and a half of a second; a whole one would be too much.
  const patiently = createPatience(new AbortController().signal, 1_400);
  const work = failing(...Array.from({ length: 20 }, away));
  await expect(patiently(work)).rejects.toThrow('connection lost');
  expect(work.calls).toBe(3);
});

test('who stops does not wait for an outage to end', async () => {
  const ending = new AbortController();
  const patiently = createPatience(ending.signal);
  const waiting = patiently(() => Promise.reject(away()));
  ending.abort();
  await expect(waiting).rejects.toThrow('connection lost');
});

import { WaitedTooLong } from './bounded-waits';
import { whileAnswering } from './while-answering';

const MS_MAX = 1_000;
const never = () => new Promise<never>(() => undefined);

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A server that is asked through here; `answer` and `end` are what becomes of the question that stays open. */
function silentServer() {
  let answer = (): void => undefined;
  let end = (_error: Error): void => undefined;
  const ping = jest.fn(
    () =>
      new Promise<void>((resolve, reject) => {
        answer = resolve;
        end = reject;
      }),
  );
  const ask = whileAnswering('redis', MS_MAX, ping);
  const waitInVain = async () => {
    const waited = expect(ask(never)).rejects.toThrow(WaitedTooLong);
    await jest.advanceTimersByTimeAsync(2 * MS_MAX);
    await waited;
  };
  return { ask, ping, waitInVain, answer: () => answer(), end: () => end(new Error('ended')) };
}

test('after one has waited in vain no other waits, and nothing but one question is sent', async () => {
  const { ask, ping, waitInVain } = silentServer();
  await waitInVain();
  const send = jest.fn(never);
  for (let count = 0; count < 3; count += 1)
    await expect(ask(send)).rejects.toThrow('redis does not answer');
  expect(send).not.toHaveBeenCalled();
  expect(ping).toHaveBeenCalledTimes(1);
});

test.each(['answer', 'end'] as const)('the %s of the question lets all ask again', async (how) => {
  const server = silentServer();
  await server.waitInVain();
  server[how]();
  await jest.advanceTimersByTimeAsync(0);
  await expect(server.ask(async () => 7)).resolves.toBe(7);
  await server.waitInVain();
  expect(server.ping).toHaveBeenCalledTimes(2);
});

test('what is refused was answered', async () => {
  const { ask, ping } = silentServer();
  await expect(ask(() => Promise.reject(new Error('WRONGTYPE')))).rejects.toThrow('WRONGTYPE');
  await expect(ask(async () => 7)).resolves.toBe(7);
  expect(ping).not.toHaveBeenCalled();
});

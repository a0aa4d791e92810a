import { EnrollmentError, pageDoor } from './api.ts';

const submit = (send: unknown) => pageDoor('form', send as typeof fetch).submit({} as never, 'key');
const answered = (status: number, json: () => Promise<unknown>) => async () => ({
  ok: status < 400,
  status,
  headers: new Headers(),
  json,
});

describe('what was filled in', () => {
  test('may have arrived where the answer cannot be read, or never comes', async () => {
    const cut = answered(200, () => Promise.reject(new SyntaxError('cut')));
    await expect(submit(cut)).rejects.toMatchObject({ status: 0, isOpen: true });
    jest.useFakeTimers();
    try {
      const silent = (_: string, { signal }: RequestInit) =>
        new Promise((_answer, fail) =>
          signal!.addEventListener('abort', () => fail(new Error('aborted'))),
        );
      const refusal = expect(submit(silent)).rejects.toMatchObject({ status: 0, isOpen: true });
      await jest.advanceTimersByTimeAsync(30_000);
      await refusal;
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  test.each([
    [400, false],
    [403, false],
    [404, false],
    [409, true],
    [429, true],
    [503, true],
  ])('and was answered %d may be done by now: %s', (status, isOpen) => {
    expect(new EnrollmentError(status).isOpen).toBe(isOpen);
  });
});

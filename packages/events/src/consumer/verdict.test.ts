import { Refusal } from '@laurel/errors';
import { Poison } from '../envelope';
import { describe as describeError, judge } from './verdict';

const refusal = (httpStatus: number, retryAfterSeconds?: number) =>
  new Refusal({ code: 'CODE', httpStatus }, [{ message: 'no' }], retryAfterSeconds);

describe('a delivery that failed', () => {
  test('is tried again after a fault, or a refusal that is temporary', () => {
    for (const error of [
      new Error('boom'),
      'thrown text',
      refusal(500),
      refusal(503),
      refusal(429),
      refusal(409, 1),
    ]) {
      expect(judge(error)).toEqual({ retry: true });
    }
  });

  test('is parked at once after a definite no or when it is unreadable', () => {
    expect(judge(refusal(404))).toEqual({ retry: false, reason: 'refused:CODE' });
    expect(judge(new Poison('invalid_json', 'no'))).toEqual({
      retry: false,
      reason: 'invalid_json',
    });
  });

  test('waits for a newer release when only that can know its type or version', () => {
    for (const reason of ['unknown_type', 'unknown_version'] as const)
      expect(judge(new Poison(reason, 'no'))).toEqual({ retry: true, newer: reason });
  });

  test('is described in one short line without a stack', () => {
    const text = describeError(new TypeError(`first \n second${'x'.repeat(1000)}`));
    expect(text).toMatch(/^TypeError: first second/);
    expect(text.length).toBeLessThanOrEqual(500);
  });
});

import {
  catalogue,
  decodeRefusal,
  defineRefusal,
  encodeRefusal,
  errorEntries,
  invalidPayload,
  isFinalRefusal,
  platform,
  Refusal,
} from './index';

describe('a refusal', () => {
  test('comes back as the same refusal after a hop', () => {
    const sent = new Refusal(
      { code: 'CONFLICT', httpStatus: 409 },
      [{ message: 'no', field: 'a.0', extensions: { reason: 'taken' } }],
      3,
    );
    const received = decodeRefusal(JSON.parse(JSON.stringify(encodeRefusal(sent))));
    expect(received).toEqual(sent);
    expect(received).toBeInstanceOf(Refusal);
  });

  test('answers with one entry per problem, each with its code and field', () => {
    const refusal = invalidPayload([
      { message: 'a is required', field: 'a' },
      { message: 'b is odd', field: 'b' },
    ]);
    expect(errorEntries(refusal)).toEqual([
      { message: 'a is required', extensions: { code: 'INVALID_PAYLOAD', field: 'a' } },
      { message: 'b is odd', extensions: { code: 'INVALID_PAYLOAD', field: 'b' } },
    ]);
  });

  test('speaks its catalogue sentence unless the case is named', () => {
    const locked = defineRefusal('CONFLICT', 409, 'it is locked');
    expect(locked().message).toBe('it is locked');
    expect(locked({ message: 'the hold has ended' }).message).toBe('the hold has ended');
  });

  test('says its name in the catalogue as its reason, and a case of it its own sentence', () => {
    const refusals = catalogue({
      codeTaken: defineRefusal('CONFLICT', 409, 'the code is taken'),
      notYourself: platform.invalidPayload.says('you cannot {verb} yourself', { field: 'user_id' }),
      tooMany: platform.rateLimited.says('too many codes', { retryAfterSeconds: 60 }),
    });
    const { code, problems } = refusals.codeTaken({ field: 'code' });
    expect({ code, problems }).toEqual({
      code: 'CONFLICT',
      problems: [
        { message: 'the code is taken', field: 'code', extensions: { reason: 'code_taken' } },
      ],
    });
    expect(refusals.codeTaken.definition.httpStatus).toBe(409);
    expect(refusals.notYourself({ values: { verb: 'remove' } })).toMatchObject({
      code: 'INVALID_PAYLOAD',
      problems: [
        {
          message: 'you cannot remove yourself',
          field: 'user_id',
          extensions: { reason: 'not_yourself' },
        },
      ],
    });
    expect(refusals.tooMany().retryAfterSeconds).toBe(60);
    expect(refusals.tooMany({ retryAfterSeconds: 7 }).retryAfterSeconds).toBe(7);
    expect(refusals.tooMany.definition).toMatchObject({ code: 'RATE_LIMITED', transient: true });
  });

  test('carries when to try again', () => {
    expect(platform.rateLimited({ retryAfterSeconds: 7 }).retryAfterSeconds).toBe(7);
  });

  test('is final unless it asks to come back', () => {
    expect(isFinalRefusal(platform.conflict())).toBe(true);
    expect(isFinalRefusal(platform.conflict({ retryAfterSeconds: 1 }))).toBe(false);
    expect(isFinalRefusal(platform.rateLimited())).toBe(false);
    expect(isFinalRefusal(platform.serviceUnavailable())).toBe(false);
    expect(isFinalRefusal(new Error('a fault'))).toBe(false);
  });
});

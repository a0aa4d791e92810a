import { createTokens } from '@laurel/auth-cache';
import type { Response } from 'express';
import { createClaimsReader, createVerifier, forgetComing, noteComing } from './verified-tokens';
import type { WrongCredentials } from './wrong-credentials';

const tokens = createTokens('a-secret-of-at-least-32-characters!');
const claims = { sub: 'user', sid: 'session' };
const credentials = { counted: async (error: unknown) => error } as unknown as WrongCredentials;
const ended = expect.objectContaining({ code: 'TOKEN_EXPIRED' });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test.each([
  ['', true],
  [', also in a gateway that has not seen it before', false],
])(
  'a token that ends while the body of its request is on its way says whose it is%s',
  async (_where, isKnown) => {
    const response = { locals: {}, req: { ip: '192.0.2.1' } } as unknown as Response;
    const token = tokens.sign('session_access', claims, 60);
    const verify = createVerifier(tokens);
    const read = createClaimsReader(verify, credentials);
    noteComing(response);
    if (isKnown) await read('session_access', token, response);
    jest.advanceTimersByTime(61_000);
    expect(await read('session_access', token, response)).toMatchObject(claims);
    forgetComing(response);
    await expect(read('session_access', token, response)).rejects.toEqual(ended);
  },
);

test('a token that has ended says nothing of whom a request comes from', async () => {
  const response = { locals: {}, req: { ip: '192.0.2.1' } } as unknown as Response;
  const token = tokens.sign('session_access', claims, 60);
  const read = createClaimsReader(createVerifier(tokens), credentials);
  jest.advanceTimersByTime(61_000);
  noteComing(response);
  await expect(read('session_access', token, response)).rejects.toEqual(ended);
});

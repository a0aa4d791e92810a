import jwt from 'jsonwebtoken';
import { createTokens } from './tokens';

const tokens = createTokens('a-secret-of-at-least-32-characters!');
const claims = { sub: 'user', sid: 'session' };

describe('signed tokens', () => {
  test('name who they stand for', () => {
    const token = tokens.sign('session_access', claims, 900);
    expect(tokens.verify('session_access', token)).toMatchObject(claims);
  });

  test('of one type are refused as another', () => {
    const token = tokens.sign('mobile_access', claims, 900);
    expect(() => tokens.verify('session_access', token)).toThrow(
      expect.objectContaining({ code: 'INVALID_TOKEN' }),
    );
  });

  test('past their life are refused as expired', () => {
    const token = tokens.sign('session_access', claims, -1);
    expect(() => tokens.verify('session_access', token)).toThrow(
      expect.objectContaining({ code: 'TOKEN_EXPIRED' }),
    );
  });

  test('that name no key are checked against the current one', () => {
    const body = { type: 'session_access', ...claims };
    const options = { issuer: 'laurel', audience: 'session_access' };
    const token = jwt.sign(body, 'a-secret-of-at-least-32-characters!', options);
    expect(tokens.verify('session_access', token)).toMatchObject(claims);
  });

  test('signed with the previous secret still count while it is being replaced', () => {
    const token = tokens.sign('session_access', claims, 900);
    const replaced = createTokens(
      'another-secret-of-32-characters!!',
      'a-secret-of-at-least-32-characters!',
    );
    expect(replaced.verify('session_access', token).sub).toBe('user');
    const forgotten = createTokens('another-secret-of-32-characters!!');
    expect(() => forgotten.verify('session_access', token)).toThrow();
  });

  test.each([
    ['nothing', ''],
    ['noise', 'abc.def.ghi'],
    ['none', jwt.sign({ type: 'session_access', sub: 'user' }, '', { algorithm: 'none' })],
    ['a stranger', jwt.sign({ type: 'session_access', sub: 'user' }, 'stranger', { keyid: 'x' })],
  ])('made by %s are refused', (_maker, token) => {
    expect(() => tokens.verify('session_access', token)).toThrow(
      expect.objectContaining({ code: 'INVALID_TOKEN' }),
    );
  });

  test('whose body was changed are refused', () => {
    const [header, , signature] = tokens.sign('session_access', claims, 900).split('.');
    const body = Buffer.from(JSON.stringify({ type: 'session_access', sub: 'admin' })).toString(
      'base64url',
    );
    expect(() => tokens.verify('session_access', `${header}.${body}.${signature}`)).toThrow();
  });
});

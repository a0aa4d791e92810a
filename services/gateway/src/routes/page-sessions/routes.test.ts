import type { Request } from 'express';
import { requireOwnPage, takesCookie } from '../../middleware/own-page';
import { ACCOUNT_COOKIE, forgetCookie, readCookie, setCookie, TILL_COOKIE } from './cookie';

const HTTPS = 'https://loyalty.example';
const HTTP = 'http://localhost:8080';
const asked = (headers: Record<string, string>): Request =>
  ({ get: (name: string) => headers[name.toLowerCase()] }) as unknown as Request;

describe('what takes a cookie', () => {
  const page = { 'x-laurel-page': '1' };
  test.each([
    ['a page of ours', { ...page, 'sec-fetch-site': 'same-origin' }, true],
    ['an older browser on a page of ours', { ...page, origin: HTTPS }, true],
    ['a page of another site', { ...page, 'sec-fetch-site': 'cross-site', origin: HTTPS }, false],
    ['a page of a sister site', { ...page, 'sec-fetch-site': 'same-site' }, false],
    ['an address that was typed', { ...page, 'sec-fetch-site': 'none' }, false],
    ['an older browser elsewhere', { ...page, origin: 'https://evil.example' }, false],
    ['a program', page, false],
    ['a form without the header', { 'sec-fetch-site': 'same-origin' }, false],
  ])('lets %s in or not', (_who, headers, isLetIn) => {
    const ask = () => requireOwnPage(asked(headers), HTTPS);
    if (isLetIn) expect(ask).not.toThrow();
    else expect(ask).toThrow('only pages of this platform');
  });

  test.each([
    ['/auth/session', true],
    ['/Auth/Session/refresh', true],
    ['/service-api/mobile-app/session/refresh', true],
    ['/auth/sessions', false],
    ['/auth/login', false],
    ['/service-api/mobile-app/passes/session', false],
  ])('is known by its path: %s', (path, does) => {
    expect(takesCookie(path)).toBe(does);
  });
});

describe('the cookie of a session', () => {
  test('is out of reach of scripts, other sites and plain connections', () => {
    const { 'Set-Cookie': header } = setCookie(ACCOUNT_COOKIE, HTTPS, { value: 'abc', seconds: 9 });
    expect(header).toBe(
      '__Secure-laurel_session=abc; Path=/auth/session; Max-Age=9; HttpOnly; SameSite=Strict; Secure',
    );
  });

  test('works on a laptop without TLS', () => {
    const { 'Set-Cookie': header } = setCookie(TILL_COOKIE, HTTP, { value: 'abc', seconds: 9 });
    expect(header).toBe(
      'laurel_till=abc; Path=/service-api/mobile-app/session; Max-Age=9; HttpOnly; SameSite=Strict',
    );
  });

  test('is forgotten by a lifetime of nothing', () => {
    expect(forgetCookie(ACCOUNT_COOKIE, HTTPS)['Set-Cookie']).toContain('Max-Age=0');
  });

  test('is found among others, and is nothing where it can be no token', () => {
    const read = (cookie: string) => readCookie(asked({ cookie }), ACCOUNT_COOKIE, HTTP);
    expect(read('a=1; laurel_session=a-b_C; b=2')).toBe('a-b_C');
    expect(read('xlaurel_session=abc')).toBeUndefined();
    expect(read('laurel_session=<script>')).toBeUndefined();
    expect(read('laurel_session=')).toBeUndefined();
    expect(readCookie(asked({}), ACCOUNT_COOKIE, HTTP)).toBeUndefined();
  });
});

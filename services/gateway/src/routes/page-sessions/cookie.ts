import type { Request } from 'express';

/** A refresh token that only the browser and the gateway ever see. */
export interface SessionCookie {
  name: string;
  /** It travels to these routes and nowhere else. */
  path: string;
}

export const ACCOUNT_COOKIE: SessionCookie = { name: 'laurel_session', path: '/auth/session' };
export const TILL_COOKIE: SessionCookie = {
  name: 'laurel_till',
  path: '/service-api/mobile-app/session',
};

/** Where the platform is reached without TLS, on somebody's laptop, a browser would not keep a secure cookie. */
const isSecure = (publicUrl: string): boolean => publicUrl.startsWith('https:');

const nameOf = ({ name }: SessionCookie, publicUrl: string): string =>
  isSecure(publicUrl) ? `__Secure-${name}` : name;

/** The header that has a browser keep the token, or forget it where `value` is empty. */
export function setCookie(
  cookie: SessionCookie,
  publicUrl: string,
  { value, seconds }: { value: string; seconds: number },
): Record<string, string> {
  const parts = [
    `${nameOf(cookie, publicUrl)}=${value}`,
    `Path=${cookie.path}`,
    `Max-Age=${Math.floor(seconds)}`,
    'HttpOnly',
    'SameSite=Strict',
    ...(isSecure(publicUrl) ? ['Secure'] : []),
  ];
  return { 'Set-Cookie': parts.join('; '), 'Cache-Control': 'no-store' };
}

export const forgetCookie = (cookie: SessionCookie, publicUrl: string): Record<string, string> =>
  setCookie(cookie, publicUrl, { value: '', seconds: 0 });

const TOKEN = /^[\w-]{1,500}$/;

/** What the browser brought, as far as it can be a token. */
export function readCookie(
  request: Request,
  cookie: SessionCookie,
  publicUrl: string,
): string | undefined {
  const wanted = `${nameOf(cookie, publicUrl)}=`;
  const pair = (request.get('cookie') ?? '')
    .split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(wanted));
  const value = pair?.slice(wanted.length);
  return value !== undefined && TOKEN.test(value) ? value : undefined;
}

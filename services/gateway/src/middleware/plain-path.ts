import type { RequestHandler } from 'express';

const ENCODED = /%([0-9a-f]{2})/gi;
/** What means the same encoded or not (RFC 3986, section 2.3), but dots: two of them would lead upwards. */
const NEEDS_NO_CODE = /[\w~-]/;

/**
 * Writes the path of a request the one way that everything behind goes by. The table of routes reads `%6f` as `o`: what
 * looked at the path as it came, which origins a form allows for one, took it for another.
 */
export const plainPath: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.url.split('?');
  if (path.includes('%')) request.url = [inPlain(path), ...query].join('?');
  next();
};

export function inPlain(path: string): string {
  return path.replace(ENCODED, (code: string, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return NEEDS_NO_CODE.test(character) ? character : code;
  });
}

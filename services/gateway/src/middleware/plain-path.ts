import { UUID_PATTERN } from '@laurel/contract';
import { platform } from '@laurel/errors';
import type { Request, RequestHandler } from 'express';

const ENCODED = /%([0-9a-f]{2})/gi;
/** A sign that encodes nothing: with what follows it, another code may come of one. */
const BARE = /%(?![0-9a-f]{2})/i;
/** What means the same encoded or not (RFC 3986, section 2.3), but dots: two of them would lead upwards. */
const NEEDS_NO_CODE = /[\w~-]/;

/**
 * Writes the path of a request the one way that everything behind goes by. The table of routes reads `%6f` as `o`: what
 * looked at the path as it came, which origins a form allows for one, took it for another. `%%36%66` would be `%6f` by then,
 * and `o` to the table: a path that holds such a thing is refused, as the table refuses it alone.
 */
export const plainPath: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.url.split('?');
  if (BARE.test(path)) return next(platform.invalidPayload({ message: 'the path cannot be read' }));
  if (path.includes('%')) request.url = [inPlain(path), ...query].join('?');
  next();
};

export function inPlain(path: string): string {
  return path.replace(ENCODED, (code: string, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16));
    return NEEDS_NO_CODE.test(character) ? character : code;
  });
}

/**
 * The address of a request with its path as the route writes it. Routes are found in either case and with a slash at
 * the end, and an id is the same in capitals: what goes by the path behind them, a key of idempotency for one, took one
 * operation for several.
 */
export function asWritten(routePath: string, { path, url }: Pick<Request, 'path' | 'url'>): string {
  const given = path.split('/');
  const written = routePath.split('/').map((segment, at) => {
    if (!segment.includes(':')) return segment;
    const value = given[at] ?? '';
    return UUID_PATTERN.test(value) ? value.toLowerCase() : value;
  });
  const query = url.indexOf('?');
  return written.join('/') + (query < 0 ? '' : url.slice(query));
}

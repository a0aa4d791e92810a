import { platform } from '@laurel/errors';
import type { Request } from 'express';

/** Any value will do: a page of another site cannot add it without asking, and it is never allowed to. */
const PAGE_HEADER = 'x-laurel-page';

/** The routes that take a cookie; answers of them are for pages of this very place alone. */
const COOKIE_ROUTES = /^\/(auth|service-api\/mobile-app)\/session(\/|$)/i;

export const takesCookie = (path: string): boolean => COOKIE_ROUTES.test(path);

/**
 * Refuses whatever is not sent by a page of ours: a browser adds the cookie of a session to requests that other sites
 * make as well. `Sec-Fetch-Site` is the browser's own word; one that does not speak it names the origin at least.
 */
export function requireOwnPage(request: Request, publicUrl: string): void {
  const site = request.get('sec-fetch-site');
  const isOurs =
    site === undefined
      ? request.get('origin') === new URL(publicUrl).origin
      : site === 'same-origin';
  if (!isOurs || !request.get(PAGE_HEADER))
    throw platform.forbidden({ message: 'only pages of this platform may call this' });
}

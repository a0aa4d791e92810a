import { newId } from '@laurel/lifecycle';
import type { RequestHandler, Response } from 'express';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * Names the request before anything can answer it: by the caller's own id where it sent a sane one
 * (part 3, section 16), else by a new one. So every answer carries it, documents and refusals too.
 */
export const nameRequest: RequestHandler = (request, response, next) => {
  const given = request.get('x-request-id');
  response.setHeader('X-Request-Id', given !== undefined && SANE.test(given) ? given : newId());
  next();
};

/** The id that `nameRequest` gave. */
export function requestIdOf(response: Response): string {
  return String(response.getHeader('X-Request-Id'));
}

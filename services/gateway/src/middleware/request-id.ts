import type { IncomingMessage } from 'node:http';
import { newId } from '@laurel/lifecycle';
import type { RequestHandler, Response } from 'express';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id of a request where it sent a sane one (part 3, section 16), else a new one. */
export function idFor({ headers }: IncomingMessage): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SANE.test(given) ? given : newId();
}

/** Names the request before anything of the routes can answer it. So every answer carries it, documents and refusals too. */
export const nameRequest: RequestHandler = (request, response, next) => {
  response.setHeader('X-Request-Id', idFor(request));
  next();
};

/** The id that `nameRequest` gave. */
export function requestIdOf(response: Response): string {
  return String(response.getHeader('X-Request-Id'));
}

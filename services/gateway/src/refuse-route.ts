import { platform } from '@laurel/errors';
import type { Logger } from '@laurel/lifecycle';
import type { RequestHandler } from 'express';
import { respondWithError } from './middleware/errors';

/** The answer to what no row of the table matches. */
export function refuseUnknownRoute(logger: Logger): RequestHandler {
  return (request, response) => {
    respondWithError(
      platform.routeNotFound({ message: `there is no route ${request.path}` }),
      response,
      logger,
    );
  };
}

/** The answer to a known path with another method. */
export function refuseMethod(allowed: readonly string[], logger: Logger): RequestHandler {
  return (_request, response) => {
    response.setHeader('Allow', allowed.join(', '));
    respondWithError(
      platform.methodNotAllowed({ message: `use ${allowed.join(' or ')} here` }),
      response,
      logger,
    );
  };
}

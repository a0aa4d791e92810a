import type { Logger } from '@laurel/lifecycle';
import type { RequestHandler } from 'express';
import { addressKey } from './address';
import { respondWithError } from './errors';
import type { RateLimits } from './rate-limit';

const EMBEDDED = /^\/service-api\/embed\/distribution\//i;

/**
 * Limits, by address, what asks for the origins of an embedded form: that look-up comes before every route and its
 * limit, preflights have none at all, and each names a token of the caller's choice.
 */
export function limitEmbedded(limits: RateLimits, logger: Logger): RequestHandler {
  return (request, response, next) => {
    if (request.get('origin') === undefined || !EMBEDDED.test(request.path)) return next();
    limits.consume('EMBED', addressKey(request.ip), response).then(
      () => next(),
      (error: unknown) => respondWithError(error, response, logger),
    );
  };
}

import { defineRefusal, defineTransientRefusal, type Problem, Refusal } from './refusal';

/** The refusals that every surface shares (part 3, section 1.1). */
export const platform = {
  invalidPayload: defineRefusal('INVALID_PAYLOAD', 400, 'the request is not valid'),
  invalidToken: defineRefusal('INVALID_TOKEN', 401, 'the credential is not valid'),
  tokenExpired: defineRefusal('TOKEN_EXPIRED', 401, 'the session token has expired'),
  invalidCredentials: defineRefusal('INVALID_CREDENTIALS', 401, 'the credentials are not valid'),
  forbidden: defineRefusal('FORBIDDEN', 403, 'you are not permitted to do this'),
  recordNotFound: defineRefusal('RECORD_NOT_FOUND', 404, 'the record does not exist'),
  notFound: defineRefusal('NOT_FOUND', 404, 'not found'),
  routeNotFound: defineRefusal('ROUTE_NOT_FOUND', 404, 'there is no such route'),
  methodNotAllowed: defineRefusal('METHOD_NOT_ALLOWED', 405, 'the route does not take this method'),
  conflict: defineRefusal('CONFLICT', 409, 'the request conflicts with the current state'),
  preconditionFailed: defineRefusal(
    'PRECONDITION_FAILED',
    412,
    'somebody else changed it in the meantime',
  ),
  payloadTooLarge: defineRefusal('PAYLOAD_TOO_LARGE', 413, 'the body is too large'),
  unsupportedMediaType: defineRefusal(
    'UNSUPPORTED_MEDIA_TYPE',
    415,
    'send the body as application/json',
  ),
  rateLimited: defineTransientRefusal('RATE_LIMITED', 429, 'too many requests'),
  internal: defineRefusal('INTERNAL', 500, 'something went wrong on our side'),
  serviceUnavailable: defineTransientRefusal(
    'SERVICE_UNAVAILABLE',
    503,
    'a part of the platform is not available',
  ),
} as const;

/** One INVALID_PAYLOAD with an entry per problem. */
export function invalidPayload(problems: readonly Problem[]): Refusal {
  const { code, httpStatus } = platform.invalidPayload.definition;
  return new Refusal({ code, httpStatus }, problems);
}

/** INVALID_PAYLOAD on one field: the shape of nearly every domain validation. */
export function invalidField(field: string, message: string): Refusal {
  return platform.invalidPayload({ field, message });
}

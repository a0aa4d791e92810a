import { surfaceOf } from '../middleware/errors';
import type { Route } from '../routing';
import { operationIdOf } from './names';
import { reference } from './parts';
import { BEFORE_EVERY_OPERATION, REASONS_OF } from './reasons-of';

type Json = Record<string, unknown>;

const WORDS: Readonly<Record<number, string>> = {
  400: 'The request is not valid; each problem names its field',
  401: 'The credential is missing, wrong or expired',
  403: 'Not permitted',
  404: 'There is no such row',
  409: 'Conflicts with the current state',
  412: 'The row is of another version than If-Match says',
  413: 'The body is too large',
  415: 'The body is of another media type',
  429: 'Too many requests',
  500: 'Something went wrong on our side',
  503: 'A part of the platform is not available; the same call may succeed later',
};
const WITH_RETRY_AFTER = new Set([409, 429, 503]);
const FORMS = { core: 'Error', portal: 'PortalError', integrations: 'IntegrationError' } as const;

/**
 * What an operation answers where it refuses, by status: a response of `refusalResponses`, or one that names its reasons.
 * Only the core form has a place for a reason (part 3, section 1.1).
 */
export function refusalsOf(route: Route): Record<string, Json> {
  const form = FORMS[surfaceOf(route.path.replace(/:\w+/g, 'x'))];
  const reasons = form === 'Error' ? REASONS_OF.get(operationIdOf(route)) : undefined;
  const statuses = new Set([...statusesOf(route), ...(reasons?.keys() ?? [])]);
  return Object.fromEntries(
    [...statuses]
      .filter((status) => status !== route.status)
      .map((status) => {
        const own = reasons?.get(status);
        const named = own && status === 403 ? [...own, ...BEFORE_EVERY_OPERATION] : own;
        const shared = `${form}${status}`;
        return [
          status,
          named
            ? responseOf(status, refusalFor([...new Set(named)]))
            : reference('responses', shared),
        ];
      }),
  );
}

/** The form of a refusal that has one of these reasons, or none. */
function refusalFor(reasons: readonly string[]): Json {
  const reason = { type: 'string', 'x-extensible-enum': reasons };
  const extensions = { type: 'object', properties: { reason } };
  const items = { type: 'object', properties: { extensions } };
  const named = { type: 'object', properties: { errors: { type: 'array', items } } };
  return { allOf: [reference('schemas', 'Error'), named] };
}

function responseOf(status: number, schema: Json): Json {
  return {
    description: WORDS[status],
    headers: {
      'X-Request-Id': reference('headers', 'RequestId'),
      ...(WITH_RETRY_AFTER.has(status)
        ? { 'Retry-After': reference('headers', 'RetryAfter') }
        : {}),
    },
    content: { 'application/json': { schema } },
  };
}

function statusesOf({ method, path, stack, body, rawBody, query, versioned }: Route): number[] {
  const isKnown = stack.name !== 'open' || stack.credential !== undefined || method !== 'get';
  const takesBody = body !== undefined || rawBody === true;
  return [
    ...(takesBody || query || path.includes('/:') ? [400] : []),
    ...(isKnown ? [401, 403] : []),
    404,
    ...(method === 'get' ? [] : [409]),
    ...(method !== 'get' && versioned ? [412] : []),
    ...(method === 'get' ? [] : [413, 415]),
    429,
    500,
    503,
  ];
}

/** Every refusal that an operation may refer to. */
export function refusalResponses(): Record<string, Json> {
  return Object.fromEntries(
    Object.values(FORMS).flatMap((form) =>
      Object.keys(WORDS).map((status) => [
        `${form}${status}`,
        responseOf(Number(status), reference('schemas', form)),
      ]),
    ),
  );
}

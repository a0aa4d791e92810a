import { cut, errorEntries, PROBLEMS_MAX, platform, Refusal } from '@laurel/errors';
import type { Logger } from '@laurel/lifecycle';
import type { Response } from 'express';
import { asksForPage, excuseToVisitor } from '../plain-page/excuse';
import { endEarly } from './unread-body';

type Surface = 'core' | 'portal' | 'integrations';

const INTEGRATIONS = /^\/service-api\/workspace\/[^/]+\/(integrations|webhooks)(\/|$)/;

/** Which of the three error bodies a path speaks (part 3, section 1.1). */
export function surfaceOf(path: string): Surface {
  if (path.startsWith('/service-api/public/loyalty/')) return 'portal';
  return INTEGRATIONS.test(path) ? 'integrations' : 'core';
}

/** The codes that the integrations surface writes in its own spelling. */
const INTEGRATION_CODES: Record<string, string> = {
  RECORD_NOT_FOUND: 'not_found',
  NOT_FOUND: 'not_found',
};

/** Why a reward is not to be had: the portal answers with these words (part 3, section 6), and with sentences else. */
const PORTAL_REASONS = new Set([
  'inactive',
  'not_started',
  'ended',
  'not_purchasable',
  'tier_locked',
  'segment_locked',
  'usage_limit_reached',
  'client_limit_reached',
  'client_not_active',
  'wallet_type_inactive',
  'insufficient_points',
  'out_of_coupons',
]);

/** What callers sent comes back in messages and fields, but not at any length: an error is a sentence. */
const MESSAGE_MAX = 400;
const FIELD_MAX = 200;

function entriesOf(refusal: Refusal) {
  return errorEntries(refusal)
    .slice(0, PROBLEMS_MAX)
    .map(({ message, extensions }) => ({
      message: cut(message, MESSAGE_MAX),
      extensions:
        typeof extensions.field === 'string'
          ? { ...extensions, field: cut(extensions.field, FIELD_MAX) }
          : extensions,
    }));
}

function bodyOf(refusal: Refusal, surface: Surface): object {
  if (surface === 'portal') return { error: cut(portalText(refusal), MESSAGE_MAX) };
  const problems = entriesOf(refusal);
  if (surface === 'core') return { errors: problems };
  const details =
    problems.length > 1 || problems[0]?.extensions.field !== undefined ? { details: problems } : {};
  return {
    error: {
      code: INTEGRATION_CODES[refusal.code] ?? refusal.code,
      message: cut(refusal.message, MESSAGE_MAX),
      ...toldBeside(refusal),
      ...details,
    },
  };
}

const BESIDE = ['used_by', 'changed_by', 'changed_at'];

/** Who keeps a thing from being deleted, or was first to change it, stands beside the message here (part 4, section 12). */
function toldBeside({ problems: [first] }: Refusal): object {
  const told = Object.entries(first?.extensions ?? {});
  return Object.fromEntries(told.filter(([name]) => BESIDE.includes(name)));
}

/** A word that the page can translate where there is one, else the sentence. */
function portalText({ problems, message }: Refusal): string {
  const reason = problems[0]?.extensions?.reason;
  return PORTAL_REASONS.has(String(reason)) ? String(reason) : message;
}

/** A refusal as the surface of `path` speaks it. */
export function refusalAnswer(
  refusal: Refusal,
  path: string,
): { status: number; headers: Record<string, string>; body: object } {
  const { httpStatus: status, retryAfterSeconds } = refusal;
  const headers: Record<string, string> =
    retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) };
  return { status, headers, body: bodyOf(refusal, surfaceOf(path)) };
}

/**
 * Writes every error answer of the gateway; nothing else does. A Refusal is shown as it is; anything
 * else is logged and answered as a bare INTERNAL. A visitor who followed a link gets a page in their language.
 */
export function respondWithError(error: unknown, response: Response, logger: Logger): void {
  const { path } = response.req;
  const refusal = toRefusal(error, logger);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = refusalAnswer(refusal, path);
  if (asksForPage(response.req)) {
    excuseToVisitor(response.set(headers), status);
    return;
  }
  response.status(status).set(headers).type('json');
  endEarly(response.req, response, Buffer.from(JSON.stringify(body)));
}

function toRefusal(error: unknown, logger: Logger): Refusal {
  if (error instanceof Refusal) return error;
  const { type, status } = error as { type?: string; status?: number };
  if (type === 'entity.too.large') return platform.payloadTooLarge();
  if (type === 'encoding.unsupported' || type === 'charset.unsupported')
    return platform.unsupportedMediaType();
  if (status === 400) return platform.invalidPayload({ message: 'the request cannot be read' });
  logger.error({ err: error }, 'a request failed');
  return platform.internal();
}

import { digestToken } from '@laurel/auth-cache';
import { platform, Refusal } from '@laurel/errors';
import { type Logger, runInContext, systemContext } from '@laurel/lifecycle';
import cors from 'cors';
import type { Request, RequestHandler } from 'express';
import type { RpcClients } from '../rpc-clients';
import { respondWithError } from './errors';
import { takesCookie } from './own-page';

const EXPOSED_HEADERS = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotency-Replayed',
  'Operation-Id',
  'Content-Disposition',
  'ETag',
];
/** How long a browser may remember an answer for. */
const MAX_AGE_SECONDS = 600;
const LOOKUP_MS_MAX = 5_000;
const ORIGIN_SHOWN_MAX = 300;
/** By which the widget tells it from a form that is closed. */
const REFUSED = { reason: 'origin_not_allowed' };
const EMBEDDED = /^\/service-api\/embed\/distribution\/([^/]+)\//i;
/** Answers whatever the token (part 2, Embeddable enrollment widget), so that it needs no look at one. */
const isExplained = ({ method, path }: Request): boolean =>
  ['GET', 'HEAD'].includes(method) && /\/submit\/?$/i.test(path);

type PassesService = Pick<RpcClients['passes'], 'GetAllowedOrigins'>;

/**
 * Which pages of other origins may read answers. Embedded forms answer by their distribution's allowed_origins alone
 * (part 4, section 12); everything else by CORS_ORIGINS. A refusal is readable by who may read the answer, and the
 * one of an origin by everybody: the shop that embeds the form must find out why it does not work.
 */
export function answerCors(
  corsOrigins: string,
  passes: PassesService,
  logger: Logger,
): RequestHandler {
  const common = { exposedHeaders: EXPOSED_HEADERS, maxAge: MAX_AGE_SECONDS };
  const elsewhere = cors({ ...common, origin: asOption(corsOrigins.split(',')) });
  const embedded = { ...common, methods: ['GET', 'POST'] };
  return (request, response, next) => {
    // No page of another origin may read what a cookie opens, whatever CORS_ORIGINS says.
    if (takesCookie(request.path)) return next();
    const token = EMBEDDED.exec(request.path)?.[1];
    if (token === undefined) return elsewhere(request, response, next);
    const origin = request.get('origin');
    if (origin === undefined) return cors({ ...embedded, origin: [] })(request, response, next);
    if (isExplained(request)) return cors({ ...embedded, origin: '*' })(request, response, next);
    void verdictOn(passes, token, origin).then(({ allowed, refusal }) => {
      if (refusal?.httpStatus === 503)
        logger.warn({ err: refusal }, 'the origins of an embedded form are not known');
      cors({ ...embedded, origin: allowed })(request, response, () =>
        refusal ? respondWithError(refusal, response, logger) : next(),
      );
    });
  };
}

interface Verdict {
  /** `*`, or true for the origin that asked. */
  allowed: '*' | true;
  refusal?: Refusal;
}

async function verdictOn(passes: PassesService, token: string, origin: string): Promise<Verdict> {
  try {
    const origins = await allowedOrigins(passes, token);
    if (origins.includes('*')) return { allowed: '*' };
    if (origins.some((pattern) => isOriginOf(pattern, origin))) return { allowed: true };
    const message = `the origin ${origin.slice(0, ORIGIN_SHOWN_MAX)} is not among the allowed_origins of this form`;
    return { allowed: true, refusal: platform.forbidden({ message, extensions: REFUSED }) };
  } catch (error) {
    const refusal =
      error instanceof Refusal ? error : platform.serviceUnavailable({ retryAfterSeconds: 1 });
    return { allowed: true, refusal };
  }
}

const LABELS = /^[a-z0-9-]+(\.[a-z0-9-]+)*$/;

/** `https://*.shop.example` is every host below that one, of the same scheme and port, and not itself. */
function isOriginOf(pattern: string, origin: string): boolean {
  const asked = origin.toLowerCase();
  const [start, end] = pattern.split('*');
  if (start === undefined || end === undefined) return pattern === asked;
  if (!asked.startsWith(start) || !asked.endsWith(end)) return false;
  return LABELS.test(asked.slice(start.length, -end.length));
}

const asOption = (origins: string[]) => (origins.includes('*') ? '*' : origins);

async function allowedOrigins(passes: PassesService, token: string): Promise<string[]> {
  const context = systemContext({ deadlineAt: Date.now() + LOOKUP_MS_MAX });
  const door = { token_sha256: digestToken(token) };
  return (await runInContext(context, () => passes.GetAllowedOrigins(door))).origins;
}

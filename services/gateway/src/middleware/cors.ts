import { digestToken } from '@laurel/auth-cache';
import { type Logger, runInContext, systemContext } from '@laurel/lifecycle';
import cors, { type CorsOptions } from 'cors';
import type { Request, RequestHandler } from 'express';
import type { RpcClients } from '../rpc-clients';

const EXPOSED_HEADERS = [
  'X-Request-Id',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Idempotency-Replayed',
  'Content-Disposition',
];
/** How long a browser may remember an answer for. */
const MAX_AGE_SECONDS = 600;
const LOOKUP_MS_MAX = 5_000;
const EMBEDDED = /^\/service-api\/embed\/distribution\/([^/]+)\//i;

type PassesService = Pick<RpcClients['passes'], 'GetAllowedOrigins'>;

/**
 * Which pages of other origins may read answers. Embedded forms answer by their distribution's allowed_origins alone
 * (part 2, Embeddable enrollment widget); everything else by CORS_ORIGINS. A refusal is readable by whoever may read
 * the answer.
 */
export function answerCors(
  corsOrigins: string,
  passes: PassesService,
  logger: Logger,
): RequestHandler {
  const common = { exposedHeaders: EXPOSED_HEADERS, maxAge: MAX_AGE_SECONDS };
  const elsewhere: CorsOptions = { ...common, origin: asOption(corsOrigins.split(',')) };
  return cors((request: Request, decide: (error: null, options: CorsOptions) => void) => {
    const token = EMBEDDED.exec(request.path)?.[1];
    if (token === undefined) return decide(null, elsewhere);
    const embedded = { ...common, methods: ['GET', 'POST'] };
    if (request.get('origin') === undefined) return decide(null, { ...embedded, origin: [] });
    void allowedOrigins(passes, token)
      .catch((error: unknown) => {
        logger.warn({ err: error }, 'the origins of an embedded form are not known');
        return [];
      })
      .then((origins) => decide(null, { ...embedded, origin: asOption(origins) }));
  });
}

const asOption = (origins: string[]) => (origins.includes('*') ? '*' : origins);

async function allowedOrigins(passes: PassesService, token: string): Promise<string[]> {
  const context = systemContext({ deadlineAt: Date.now() + LOOKUP_MS_MAX });
  const door = { token_sha256: digestToken(token) };
  return (await runInContext(context, () => passes.GetAllowedOrigins(door))).origins;
}

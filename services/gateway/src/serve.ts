import { pipeline } from 'node:stream/promises';
import { digestToken } from '@laurel/auth-cache';
import { platform, Refusal } from '@laurel/errors';
import {
  type Context,
  type Logger,
  metrics,
  newId,
  runInContext,
  systemContext,
} from '@laurel/lifecycle';
import type { Request, RequestHandler, Response } from 'express';
import type { Audit } from './middleware/audit';
import type { Authenticate } from './middleware/authenticate';
import { readJsonBody } from './middleware/body';
import { actorOf, type Caller } from './middleware/caller';
import { refusalAnswer, respondWithError } from './middleware/errors';
import { type Attempt, type createIdempotency, fingerprintOf } from './middleware/idempotency';
import type { RateLimits } from './middleware/rate-limit';
import { requestIdOf } from './middleware/request-id';
import { createValidator, type Validator } from './middleware/validate';
import type { Answer, Route } from './routing';
import type { RpcClients } from './rpc-clients';

export interface ServeDependencies {
  rpc: RpcClients;
  authenticate: Authenticate;
  limits: RateLimits;
  beginIdempotent: ReturnType<typeof createIdempotency>;
  audit: Audit;
  logger: Logger;
  requestMsMax: number;
}

/**
 * Turns a row of the route table into a handler. Every request takes the same way: request id, limit,
 * credential, workspace guard, form, idempotency key, one call behind the gateway, answer.
 */
export function serve(route: Route, dependencies: ServeDependencies): RequestHandler {
  const validator = createValidator(route);
  return (request, response) => {
    const startedAt = process.hrtime.bigint();
    const context = systemContext({
      requestId: requestIdOf(response),
      operationId: newId(),
      deadlineAt: Date.now() + dependencies.requestMsMax,
      ...traceOf(request),
    });
    context.correlationId = context.requestId;
    response.on('close', () => observe(route, response, startedAt, context, dependencies.logger));
    runInContext(context, () =>
      run(route, validator, dependencies, context, request, response),
    ).catch((error: unknown) => {
      runInContext(context, () =>
        respondWithError(error, request.path, response, dependencies.logger),
      );
    });
  };
}

async function run(
  route: Route,
  validator: Validator,
  dependencies: ServeDependencies,
  context: Context,
  request: Request,
  response: Response,
): Promise<void> {
  const { rpc, authenticate, limits, audit } = dependencies;
  const ip = request.ip ?? 'unknown';
  if ('limit' in route.stack && route.stack.limit)
    await limits.consume(route.stack.limit, countedKey(route.stack, request, ip), response);
  const caller = await authenticate.caller(route.stack, request, response);
  context.actor = actorOf(caller);
  const params = validator.params(request.params);
  if (!route.rawBody && route.method !== 'get') await readJsonBody(request, response);
  const workspaceId = await authenticate.admit(route.stack, caller, {
    params,
    query: request.query,
    body: request.body,
  });
  context.workspaceId = workspaceId === '' ? null : workspaceId;
  const query = validator.query(request.query);
  const body = route.rawBody || route.method === 'get' ? undefined : validator.body(request.body);
  const attempt = await beginAttempt(route, dependencies, context, caller, request, query, body);
  if (attempt?.earlier)
    return send(response, {
      ...attempt.earlier,
      headers: { ...attempt.earlier.headers, 'Idempotency-Replayed': 'true' },
    });
  if (route.readsAudit) await audit.settle();
  const input = { params, query, body, workspaceId, caller, ip, context, rpc, request };
  const answer = await settle(route, attempt, request.path, () => route.handle(input));
  if (isChange(route)) audit.record(route, input, answer);
  await send(response, { ...answer, status: answer.status ?? route.status ?? 200 });
}

/** The address, where the stack does not count something in the path. */
function countedKey(stack: Route['stack'], { params }: Request, ip: string): string {
  return 'countedBy' in stack && stack.countedBy
    ? digestToken(stack.countedBy(params as Record<string, string>))
    : ip;
}

/** Only POSTs that change something take a key; the rest are repeatable by nature. */
async function beginAttempt(
  route: Route,
  { beginIdempotent }: ServeDependencies,
  context: Context,
  caller: Caller,
  request: Request,
  query: unknown,
  body: unknown,
): Promise<Attempt | null> {
  const key = request.get('idempotency-key');
  if (
    key === undefined ||
    route.method !== 'post' ||
    route.idempotent === false ||
    route.readOnly ||
    route.rawBody
  )
    return null;
  const scope = scopeOf(context, caller);
  const attempt = await beginIdempotent(
    `${scope} POST ${request.path}`,
    key,
    fingerprintOf(query, body),
  );
  context.operationId = attempt.operationId;
  context.operationKept = true;
  return attempt;
}

/** Whose keys they are: the workspace's (part 3, section 1.3), but a customer's own in the portal. */
function scopeOf({ workspaceId }: Context, caller: Caller): string {
  if (caller.type === 'client') return caller.limitKey;
  return workspaceId ?? caller.userId ?? caller.limitKey;
}

/** Keeps what was decided for a key, refusals too; an outcome that nobody knows lets the key be tried again. */
async function settle(
  route: Route,
  attempt: Attempt | null,
  path: string,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  if (!attempt) return handle();
  try {
    const answer = await handle();
    const { status = route.status ?? 200, headers = {}, body } = answer;
    await attempt.keep({ status, headers, body });
    return answer;
  } catch (error) {
    if (isDecided(error)) await attempt.keep(refusalAnswer(error, path));
    else await attempt.release();
    throw error;
  }
}

function isDecided(error: unknown): error is Refusal {
  return error instanceof Refusal && error.httpStatus < 500 && error.httpStatus !== 429;
}

function isChange(route: Route): boolean {
  return route.method !== 'get' && !route.readOnly;
}

async function send(
  response: Response,
  { status = 200, headers = {}, body, content, chunks }: Answer,
): Promise<void> {
  response.status(status).set(headers);
  if (chunks) await pipeline(chunks, response);
  else if (content) response.set('Content-Length', String(content.length)).end(content);
  else if (body === undefined) response.end();
  else response.json(body);
}

function traceOf(request: Request): { traceparent?: string } {
  const traceparent = request.get('traceparent');
  return traceparent !== undefined && /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent)
    ? { traceparent }
    : {};
}

function observe(
  route: Route,
  response: Response,
  startedAt: bigint,
  context: Context,
  logger: Logger,
): void {
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  const labels = {
    method: route.method.toUpperCase(),
    route: route.path,
    status: String(response.statusCode),
  };
  metrics.httpDuration.observe(labels, seconds);
  runInContext(context, () =>
    logger.debug({ ...labels, duration_ms: Math.round(seconds * 1_000) }, 'request'),
  );
}

/** The answer to what no row of the table matches. */
export function refuseUnknownRoute(logger: Logger): RequestHandler {
  return (request, response) => {
    respondWithError(
      platform.routeNotFound({ message: `there is no route ${request.path}` }),
      request.path,
      response,
      logger,
    );
  };
}

/** The answer to a known path with another method. */
export function refuseMethod(allowed: readonly string[], logger: Logger): RequestHandler {
  return (request, response) => {
    response.setHeader('Allow', allowed.join(', '));
    respondWithError(
      platform.methodNotAllowed({ message: `use ${allowed.join(' or ')} here` }),
      request.path,
      response,
      logger,
    );
  };
}

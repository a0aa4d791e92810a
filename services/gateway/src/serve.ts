import { digestToken } from '@laurel/auth-cache';
import type { Refusal } from '@laurel/errors';
import {
  type Context,
  type Logger,
  metrics,
  newId,
  runInContext,
  systemContext,
} from '@laurel/lifecycle';
import type { Request, RequestHandler, Response } from 'express';
import { addressKey } from './middleware/address';
import type { Admission } from './middleware/admission';
import type { Audit } from './middleware/audit';
import type { Authenticate } from './middleware/authenticate';
import { createBodyReader, type ReadJsonBody } from './middleware/body';
import { actorOf, type Caller } from './middleware/caller';
import { conditionOf, underCondition } from './middleware/condition';
import { respondWithError } from './middleware/errors';
import type { createIdempotency } from './middleware/idempotency';
import { inTurn } from './middleware/in-turn';
import type { AwaitPeer } from './middleware/peers';
import type { RateLimits } from './middleware/rate-limit';
import { requestIdOf } from './middleware/request-id';
import { requireScope } from './middleware/token-scope';
import { createValidator, type Validator } from './middleware/validate';
import { standing } from './middleware/values';
import { noteComing } from './middleware/verified-tokens';
import { requireAdmitted } from './middleware/workspace-guard';
import type { Presented, WrongCredentials } from './middleware/wrong-credentials';
import { type Answer, answerOf, type Route, type Stack, withoutDeadline } from './routing';
import type { RpcClients } from './rpc-clients';
import { BODY_MEMBERS_MAX, OPEN_MEMBERS_MAX } from './schema/bounds';
import { type LiveDependencies, send, sendLive } from './send';
import { keyUse, settle, usedKey } from './under-key';

export interface ServeDependencies extends LiveDependencies {
  rpc: RpcClients;
  admission: Admission;
  authenticate: Authenticate;
  /** Asks the same again without counting it. */
  reauthenticate: Authenticate;
  limits: RateLimits;
  credentials: WrongCredentials;
  beginIdempotent: ReturnType<typeof createIdempotency>;
  audit: Audit;
  logger: Logger;
  requestMsMax: number;
  publicUrl: string;
}

/** What all requests of a route share. */
interface Prepared {
  route: Route;
  /** What reads the row that the route changes. */
  reading: Route | undefined;
  validator: Validator;
  readJsonBody: ReadJsonBody;
  dependencies: ServeDependencies;
}

/**
 * Turns a row of the route table into a handler. Every request takes the same way: request id, limit,
 * credential, workspace guard, form, idempotency key, one call behind the gateway, answer.
 */
export function serve(
  route: Route,
  dependencies: ServeDependencies,
  reading: Route | undefined,
): RequestHandler {
  const { logger, admission, credentials, requestMsMax } = dependencies;
  const validator = createValidator(route);
  const readJsonBody = createBodyReader(membersMaxOf(route));
  const prepared: Prepared = { route, reading, validator, readJsonBody, dependencies };
  return (request, response) => {
    const startedAt = process.hrtime.bigint();
    const context = systemContext({
      requestId: requestIdOf(response),
      operationId: newId(),
      deadlineAt: Date.now() + requestMsMax,
      ...traceOf(request),
    });
    context.correlationId = context.requestId;
    const observed = () => runInContext(context, () => observe(prepared, response, startedAt));
    response.on('close', observed);
    runInContext(context, async () => {
      const goOn = await inTurn(
        admission,
        { response, credentials, stack: route.stack },
        (awaitPeer) => run(prepared, context, { response, awaitPeer }),
      );
      if (!goOn) return;
      // How long it goes on says nothing about this gateway.
      response.off('close', observed);
      observed();
      await withoutDeadline(goOn);
    }).catch((error: unknown) => {
      runInContext(context, () => respondWithError(error, response, logger));
    });
  };
}

/** A request at work, and how it waits for others. */
interface Turn {
  response: Response;
  awaitPeer: AwaitPeer;
}

/** Who asks: the limits of strangers first, then the credential, then whether it may come here at all. */
async function identify({ route, dependencies }: Prepared, context: Context, response: Response) {
  const { authenticate, limits, credentials } = dependencies;
  const { req: request } = response;
  const ip = addressKey(request.ip);
  const presented = presentedTo(route.stack, request, response);
  if (presented) await countBearer(route.stack, presented, dependencies);
  else if ('limit' in route.stack && route.stack.limit)
    await limits.consume(route.stack.limit, ip, response);
  const countsRefused = !presented && 'countsRefused' in route.stack;
  if (countsRefused) credentials.refuseBlocked(ip);
  const caller = await authenticate.caller(route.stack, request, response);
  context.actor = actorOf(caller);
  requireScope(route, caller);
  return { ip, presented, countsRefused, caller };
}

/** What is asked, and of which workspace: the form of the route is held to what comes once its caller was admitted there. */
async function readRequest(
  { route, validator, readJsonBody, dependencies }: Prepared,
  context: Context,
  { known, response, awaitPeer }: Turn & { known: Caller },
) {
  const { authenticate, reauthenticate, audit, requestMsMax } = dependencies;
  const { req: request } = response;
  const hasJson = !route.rawBody && route.method !== 'get';
  const params = validator.params(request.params);
  const read = () => readJsonBody(request, response);
  // Most bodies came with their headers.
  const waited = hasJson && !request.complete;
  if (hasJson) await (waited ? awaitPeer(read) : read());
  // How long a body takes is its sender's affair, within what the server gives it.
  if (waited) context.deadlineAt = Date.now() + requestMsMax;
  // It may come as slowly as it likes, and its sender be put out or signed out meanwhile.
  const caller = waited ? await reauthenticate.caller(route.stack, request, response) : known;
  const parts = { params, query: request.query, body: request.body };
  const used = usedKey(route, request);
  const workspaceId = await authenticate.admit(route.stack, caller, { ...parts, used });
  context.workspaceId = workspaceId === '' ? null : workspaceId;
  const ahead = caller.membership?.sandboxAheadMs;
  if (ahead !== undefined) context.sandboxAheadMs = ahead;
  const query = validator.query(request.query);
  const body = hasJson ? validator.body(request.body) : undefined;
  requireAdmitted(route.stack, workspaceId);
  if (isChange(route)) audit.admit();
  const ifMatch = conditionOf(route, request);
  if (ifMatch !== undefined) context.ifMatch = ifMatch;
  return { caller, params, query, body, workspaceId };
}

/** How a request asks, later than it was admitted, whether its caller still would be. */
function askingAgain(
  { route: { stack }, dependencies: { reauthenticate } }: Prepared,
  response: Response,
  { params, query }: Awaited<ReturnType<typeof readRequest>>,
): () => Promise<void> {
  return async () => {
    const again = await reauthenticate.caller(stack, response.req, response);
    await reauthenticate.admit(stack, again, { params, query, body: undefined });
  };
}

async function run(
  prepared: Prepared,
  context: Context,
  { response, awaitPeer }: Turn,
): Promise<(() => Promise<void>) | undefined> {
  const { route, reading, dependencies } = prepared;
  const { rpc, credentials, audit, publicUrl } = dependencies;
  const { req: request } = response;
  noteComing(response);
  const { ip, presented, countsRefused, caller } = await identify(prepared, context, response);
  const form = await readRequest(prepared, context, { known: caller, response, awaitPeer });
  const asked = { context, request, admitted: new Set<string>(), ...form };
  const use = keyUse(route, dependencies.beginIdempotent, asked);
  const stillAllowed = askingAgain(prepared, response, form);
  const input = { ...asked, ip, rpc, publicUrl, awaitPeer, stillAllowed, beginKey: use.begin };
  const earlier = route.rawBody ? null : await use.begin(form.body);
  if (earlier) {
    await send(response, earlier, input);
    return undefined;
  }
  if (route.readsAudit) await audit.settle();
  const handle = () => {
    if (countsRefused)
      return countingRefused(credentials, { ip, response }, () => answerOf(route, input));
    return route.versioned ? underCondition(route, input, audit.settle) : answerOf(route, input);
  };
  // Recorded before the answer is kept under its key: who repeats a request whose gateway died finds it unrecorded, too.
  const work = async () => {
    const before = await standing(route, reading, input);
    const handled = await (presented
      ? credentials.prove(presented, handle, wrongnessOf(route.stack))
      : handle());
    if (isChange(route) && !use.attempt?.earlier)
      await audit.record(route, input, { before, answer: handled });
    return handled;
  };
  const answer = await settle(route, { use, path: request.path }, work);
  const { live } = answer;
  // The answer to a HEAD ends with its headers: what goes on behind them would keep the next request of the connection waiting.
  if (live && request.method !== 'HEAD')
    return sendLive(dependencies, { ...answer, live }, { input, response });
  await send(response, { ...answer, status: answer.status ?? route.status ?? 200 }, input);
  return undefined;
}

/** How many members the body of a route may have in all. */
export function membersMaxOf({ bodyMembersMax, stack }: Route): number {
  const isOpen = ['open', 'embed', 'page'].includes(stack.name);
  return bodyMembersMax ?? (isOpen ? OPEN_MEMBERS_MAX : BODY_MEMBERS_MAX);
}

/** What a caller who is not signed in bears, where the stack knows of such a thing. */
function presentedTo(stack: Stack, request: Request, response: Response): Presented | null {
  if (!('credential' in stack) || !stack.credential) return null;
  const credential = stack.credential(request);
  if (credential === undefined) return null;
  return { ip: addressKey(request.ip), credential: digestToken(credential), response };
}

/** Before anything is read or asked: an address beyond its limit tries no further credential. */
async function countBearer(
  stack: Stack,
  { ip, credential, response }: Presented,
  { limits, credentials }: ServeDependencies,
): Promise<void> {
  const { limit, countedOnCredential } = stack as Extract<Stack, { name: 'open' }>;
  const isKnown = credentials.knows(credential);
  if (!isKnown) credentials.refuseBlocked(ip);
  if (!countedOnCredential) await limits.consume(limit, ip, response);
  else if (isKnown) await limits.consume(limit, credential, response);
}

/** Which refusals say that a credential is wrong, where it is not the usual ones. */
function wrongnessOf(stack: Stack): ((refusal: Refusal) => boolean) | undefined {
  return (stack as Extract<Stack, { name: 'open' }>).isWrong;
}

async function countingRefused(
  credentials: ServeDependencies['credentials'],
  { ip, response }: Pick<Presented, 'ip' | 'response'>,
  handle: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await handle();
  } catch (error) {
    throw await credentials.counted(error, ip, response);
  }
}

function isChange(route: Route): boolean {
  return route.method !== 'get' && !route.readOnly;
}

function traceOf(request: Request): { traceparent?: string } {
  const traceparent = request.get('traceparent');
  return traceparent !== undefined && /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/.test(traceparent)
    ? { traceparent }
    : {};
}

function observe(
  { route, dependencies: { logger } }: Prepared,
  response: Response,
  startedAt: bigint,
): void {
  const seconds = Number(process.hrtime.bigint() - startedAt) / 1e9;
  const labels = {
    method: route.method.toUpperCase(),
    route: route.path,
    status: String(response.statusCode),
  };
  metrics.httpDuration.observe(labels, seconds);
  logger.debug({ ...labels, duration_ms: Math.round(seconds * 1_000) }, 'request');
}

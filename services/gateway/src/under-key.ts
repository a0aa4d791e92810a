import { isAboutKey, Refusal } from '@laurel/errors';
import type { Context } from '@laurel/lifecycle';
import type { Caller } from './middleware/caller';
import { refusalAnswer } from './middleware/errors';
import {
  type Attempt,
  type createIdempotency,
  fingerprintOf,
  withoutSecrets,
} from './middleware/idempotency';
import type { Answer, Input, Route } from './routing';

/** Only POSTs that change something take a key; the rest are repeatable by nature. */
export async function beginAttempt(
  route: Route,
  beginIdempotent: ReturnType<typeof createIdempotency>,
  { context, caller, request, query, body }: Input<string, unknown, unknown>,
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
  context.fingerprint = attempt.fingerprint;
  return attempt;
}

/** Whose keys they are: the workspace's (part 3, section 1.3), but a customer's own in the portal. */
function scopeOf({ workspaceId }: Context, caller: Caller): string {
  if (caller.type === 'client') return caller.limitKey;
  return workspaceId ?? caller.userId ?? caller.limitKey;
}

/**
 * Keeps what was decided for a key, refusals too; an unknown outcome lets the key be tried again, and so does a service
 * that knows the key by another body: the key stays with the first.
 */
export async function settle(
  route: Route,
  { attempt, path }: { attempt: Attempt; path: string },
  handle: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await handle();
    const { status = route.status ?? 200, headers = {}, body } = answer;
    await attempt.keep({ status, headers, body: withoutSecrets(body, route.shownOnce) });
    return answer;
  } catch (error) {
    if (isDecided(error)) await attempt.keep(refusalAnswer(error, path));
    else await attempt.release();
    throw error;
  }
}

function isDecided(error: unknown): error is Refusal {
  return (
    error instanceof Refusal &&
    !isAboutKey(error) &&
    error.httpStatus < 500 &&
    error.httpStatus !== 429 &&
    error.retryAfterSeconds === undefined
  );
}

import { isAboutKey, Refusal } from '@laurel/errors';
import { type Context, currentContext } from '@laurel/lifecycle';
import type { Request } from 'express';
import type { Caller } from './middleware/caller';
import { refusalAnswer } from './middleware/errors';
import {
  type Attempt,
  type createIdempotency,
  fingerprintOf,
  keyScope,
  withoutSecrets,
} from './middleware/idempotency';
import type { UsedKey } from './middleware/used-keys';
import { type Answer, type Input, type Route, replayed, takesKey } from './routing';

type Asked = Pick<Input<string, unknown, unknown>, 'context' | 'caller' | 'request' | 'query'>;

/** The use of a key by one request. */
export interface KeyUse {
  /** Null where there is no key, or none yet: a raw body has to be read before. */
  attempt: Attempt | null;
  /** @returns the first answer, where this is a repeat */
  begin(body: unknown): Promise<Answer | null>;
}

/** What a request does with its key, which `begin` looks up by the body that came under it. */
export function keyUse(
  route: Route,
  beginIdempotent: ReturnType<typeof createIdempotency>,
  asked: Asked,
): KeyUse {
  const use: KeyUse = {
    attempt: null,
    async begin(body) {
      use.attempt = takesKey(route) ? await beginAttempt(beginIdempotent, asked, body) : null;
      const earlier = use.attempt?.earlier;
      return earlier ? replayed(earlier, true) : null;
    },
  };
  return use;
}

/** The key that a request came under, where its route takes one. */
export function usedKey(route: Route, request: Request): UsedKey | undefined {
  const key = takesKey(route) ? request.get('idempotency-key') : undefined;
  return key === undefined ? undefined : { path: request.path, key };
}

async function beginAttempt(
  beginIdempotent: ReturnType<typeof createIdempotency>,
  { context, caller, request, query }: Asked,
  body: unknown,
): Promise<Attempt | null> {
  const key = request.get('idempotency-key');
  if (key === undefined) return null;
  const attempt = await beginIdempotent(
    keyScope(ownerOf(context, caller), request.path),
    key,
    fingerprintOf(query, body),
  );
  const { operationId, fingerprint } = attempt;
  // Work without a deadline reads a raw body in a context of its own: what it calls next is under the key, too.
  for (const known of [context, currentContext()])
    Object.assign(known, { operationId, operationKept: true, fingerprint });
  return attempt;
}

/** Whose keys they are: the workspace's (part 3, section 1.3), but a customer's own in the portal. */
function ownerOf({ workspaceId }: Context, caller: Caller): string {
  if (caller.type === 'client') return caller.limitKey;
  return workspaceId ?? caller.userId ?? caller.limitKey;
}

/**
 * Keeps what was decided for a key, refusals too; an unknown outcome lets the key be tried again, and so do an answer that
 * leaves something to do and a service that knows the key by another body: the key stays with the first.
 */
export async function settle(
  route: Route,
  { use, path }: { use: KeyUse; path: string },
  handle: () => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await handle();
    const { status = route.status ?? 200, headers = {}, body } = answer;
    if (answer.isUnfinished) await use.attempt?.release();
    else if (!use.attempt?.earlier)
      await use.attempt?.keep({ status, headers, body: withoutSecrets(body, route.shownOnce) });
    return answer;
  } catch (error) {
    if (isDecided(error)) await use.attempt?.keep(refusalAnswer(error, path));
    else await use.attempt?.release();
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

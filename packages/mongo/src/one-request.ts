import { usedKey } from '@laurel/errors';
import { type Context, currentContext } from '@laurel/lifecycle';

/** What a row of an operation keeps to know the request again: nothing where the operation is not named by the request's key. */
export function fingerprintFor(
  operation: string,
  context: Context = currentContext(),
): Pick<Context, 'fingerprint'> {
  const { fingerprint, operationId } = context;
  return fingerprint !== undefined && operation.includes(operationId) ? { fingerprint } : {};
}

/**
 * Refuses with CONFLICT where an operation was done for another request under the same Idempotency-Key, however long ago:
 * to answer it with the first would tell its caller of something that was never done.
 */
export function refuseAnotherRequest(
  operation: string,
  done: { fingerprint?: string | undefined },
  context: Context = currentContext(),
): void {
  const { fingerprint } = fingerprintFor(operation, context);
  if (fingerprint === undefined || done.fingerprint === undefined) return;
  if (done.fingerprint !== fingerprint) throw usedKey();
}

import { usedKey } from '@laurel/errors';
import { type Context, currentContext } from '@laurel/lifecycle';

/** How long a key stands for one request (part 3, section 1.3): a later release may read what was asked otherwise. */
const KEY_KEPT_MS = 86_400_000;

/** What a row of an operation keeps to know the request again: nothing where the operation is not named by the request's key. */
export function fingerprintFor(
  operation: string,
  context: Context = currentContext(),
): Pick<Context, 'fingerprint'> {
  const { fingerprint, operationId } = context;
  return fingerprint !== undefined && operation.includes(operationId) ? { fingerprint } : {};
}

/** Refuses with CONFLICT where an operation was done for another request under the same Idempotency-Key. */
export function refuseAnotherRequest(
  operation: string,
  done: { fingerprint?: string | undefined; at: Date },
  context: Context = currentContext(),
): void {
  const { fingerprint } = fingerprintFor(operation, context);
  if (fingerprint === undefined || done.fingerprint === undefined) return;
  if (done.fingerprint === fingerprint || Date.now() - done.at.getTime() >= KEY_KEPT_MS) return;
  throw usedKey();
}

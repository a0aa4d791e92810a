// The door that only other services have: entering a referral code for a client, as an enrolment form does.
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../../deploy/local/lib/paths.mjs';

/** @typedef {import('./http.mjs').Answer} Answer */
/** @typedef {import('./http.mjs').Request} Request */

/**
 * Speaks gRPC and answers as the gateway would, so that a client can insist on it.
 *
 * @param {string} target
 */
export function createEnrolment(target) {
  // Not before it is built: this file is read on a fresh clone.
  const load = createRequire(import.meta.url);
  const { createRpcClient } = load(path.join(ROOT, 'packages/rpc/dist/index.js'));
  const { runInContext, systemContext } = load(path.join(ROOT, 'packages/lifecycle/dist/index.js'));
  const referrals = createRpcClient('referrals', { target });
  const rest = { retryAfterMs: null, replayed: false, keptRunning: false };

  /** @param {string} rpc @param {Request} [request] @returns {Promise<Answer>} never rejects */
  async function attempt(rpc, { body, key, signal } = {}) {
    const context = systemContext({ operationId: String(key) });
    try {
      const call = runInContext(context, () => referrals[rpc](body));
      return { status: 200, body: { data: await orAborted(call, signal) }, ...rest };
    } catch (error) {
      // Only a refusal carries a status; what anything else came to is not known.
      const { httpStatus = 0, message } = /** @type {any} */ (error);
      return { status: httpStatus, body: message, ...rest };
    }
  }

  return { attempt, close: () => referrals.close() };
}

/**
 * @template T
 * @param {Promise<T>} call
 * @param {AbortSignal | undefined} signal
 * @returns {Promise<T>}
 */
function orAborted(call, signal) {
  if (!signal) return call;
  const aborted = new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('gone')), { once: true });
  });
  return Promise.race([call, /** @type {Promise<never>} */ (aborted)]);
}

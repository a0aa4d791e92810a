// One attempt at a request, at whichever gateway is up.
import { Pool } from 'undici';

/** A little more than a gateway lets a request take. */
const ATTEMPT_MS_MAX = 17_000;
const CONNECT_MS_MAX = 2_000;

/**
 * @typedef {{ status: number, body: any, retryAfterMs: number | null, replayed: boolean, keptRunning: boolean }} Answer
 *   status 0: no answer came, the outcome is unknown. `keptRunning`: an earlier attempt may still be at work
 * @typedef {{ method?: 'GET' | 'POST' | 'PUT', body?: unknown, token?: string, key?: string, signal?: AbortSignal }} Request
 */

/**
 * Spreads attempts over the gateways.
 *
 * @param {readonly string[]} baseUrls
 * @param {number} connections
 */
export function createHttp(baseUrls, connections) {
  const pools = baseUrls.map(
    (url) => new Pool(url, { connections, pipelining: 1, connect: { timeout: CONNECT_MS_MAX } }),
  );
  let open = pools;
  let turn = 0;

  /** @param {string} path @param {Request} [request] @returns {Promise<Answer>} never rejects */
  async function attempt(path, { method = 'GET', body, token, key, signal } = {}) {
    const pool = /** @type {Pool} */ (open[turn++ % open.length]);
    const patience = AbortSignal.timeout(ATTEMPT_MS_MAX);
    try {
      const reply = await pool.request({
        method,
        path,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, patience]) : patience,
      });
      const text = await reply.body.text();
      const retryAfter = Number(reply.headers['retry-after']);
      const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1_000 : null;
      return {
        status: reply.statusCode,
        body: text === '' ? undefined : JSON.parse(text),
        retryAfterMs,
        replayed: reply.headers['idempotency-replayed'] === 'true',
        keptRunning: reply.statusCode === 409 && retryAfterMs !== null,
      };
    } catch (error) {
      const message = /** @type {Error} */ (error).message;
      return { status: 0, body: message, retryAfterMs: null, replayed: false, keptRunning: false };
    }
  }

  /** From here on only these are asked, as a load balancer does with those that are ready. @param {readonly string[]} ready */
  function use(ready) {
    open = pools.filter((_, position) => ready.includes(String(baseUrls[position])));
  }

  return { attempt, use, close: () => Promise.all(pools.map((pool) => pool.destroy())) };
}

/** @typedef {ReturnType<typeof createHttp>} Http */

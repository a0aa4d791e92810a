// One attempt at a request, at whichever gateway is up.
import { Pool } from 'undici';

/** A little more than a gateway lets a request take. */
const ATTEMPT_MS_MAX = 17_000;
const CONNECT_MS_MAX = 2_000;

/**
 * @typedef {{ status: number, body: any, retryAfterMs: number | null, replayed: boolean, keptRunning: boolean, location?: string, operation?: string }} Answer
 *   status 0: no answer came, the outcome is unknown. `keptRunning`: an earlier attempt may still be at work. `location` is where it leads on to,
 *   `operation` what a till may take back
 * @typedef {{ method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', body?: unknown, token?: string, key?: string, signal?: AbortSignal,
 *   headers?: Record<string, string> }} Request
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
  async function attempt(path, { method = 'GET', body, token, key, signal, headers } = {}) {
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
          ...headers,
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, patience]) : patience,
      });
      const content = Buffer.from(await reply.body.arrayBuffer());
      const retryAfter = Number(reply.headers['retry-after']);
      const retryAfterMs = Number.isFinite(retryAfter) ? retryAfter * 1_000 : null;
      return {
        status: reply.statusCode,
        body: read(content, String(reply.headers['content-type'])),
        retryAfterMs,
        replayed: reply.headers['idempotency-replayed'] === 'true',
        keptRunning: reply.statusCode === 409 && retryAfterMs !== null,
        ...(reply.headers.location === undefined
          ? {}
          : { location: String(reply.headers.location) }),
        ...(reply.headers['operation-id'] === undefined
          ? {}
          : { operation: String(reply.headers['operation-id']) }),
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

/** What is no JSON stays as it came. @param {Buffer} content @param {string} type */
function read(content, type) {
  if (content.length === 0) return undefined;
  return /^application\/(json|.*\+json)/.test(type)
    ? JSON.parse(content.toString('utf8'))
    : content;
}

/** What was asked for, and must be there to go on. @param {string} path @param {Pick<Answer, 'status' | 'body'>} answer @returns {any} */
export function bodyOf(path, { status, body }) {
  if (status < 200 || status > 299)
    throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** @typedef {ReturnType<typeof createHttp>} Http */

// A client of the public API as anybody would write it: waits when it is told to, and repeats under the same key.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

/** A machine that is busy with other things may need a while. */
const ATTEMPTS_MAX = 30;
const PAUSE_MS = 500;

/** @typedef {ReturnType<typeof createApi>} Api */
/** @typedef {{ requests: number, limited: number, waitedMs: number }} Counts */

class SaidNo extends Error {
  /** @param {number} status @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @param {{ baseUrl: string, token: string }} options */
export function createApi({ baseUrl, token }) {
  /** @type {Counts} */
  const counts = { requests: 0, limited: 0, waitedMs: 0 };

  /**
   * @param {'GET' | 'POST' | 'PUT'} method
   * @param {string} path below /service-api
   * @param {object | FormData} [body]
   * @returns {Promise<any>} the JSON of the answer
   * @throws {SaidNo} with what the platform said
   */
  async function call(method, path, body) {
    const isForm = body instanceof FormData;
    const headers = {
      authorization: `Bearer ${token}`,
      ...(method === 'POST' && !isForm ? { 'idempotency-key': randomUUID() } : {}),
      ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
    };
    const sent = isForm ? body : body && JSON.stringify(body);
    for (let attempt = 1; ; attempt += 1) {
      const response = await fetch(`${baseUrl}/service-api${path}`, {
        method,
        headers,
        body: sent,
      });
      counts.requests += 1;
      const text = await response.text();
      if (response.ok) return text === '' ? undefined : JSON.parse(text);
      const mayRepeat = response.status === 429 || response.status === 503;
      if (!mayRepeat || attempt === ATTEMPTS_MAX)
        throw new SaidNo(
          response.status,
          `${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`,
        );
      await rest(response);
    }
  }

  /** @param {Response} response */
  async function rest({ status, headers }) {
    const asked = Number(headers.get('retry-after')) * 1_000;
    const ms = asked > 0 ? asked : PAUSE_MS;
    if (status === 429) counts.limited += 1;
    counts.waitedMs += ms;
    await pause(ms);
  }

  return {
    counts,
    get: (/** @type {string} */ path) => call('GET', path),
    post: (/** @type {string} */ path, /** @type {object | FormData} */ body) =>
      call('POST', path, body),
    /** Undefined where the answer is an expected no (400). @param {string} path @param {object} body */
    tryPost: (path, body) =>
      call('POST', path, body).catch((error) => {
        if (!(error instanceof SaidNo && error.status === 400)) throw error;
      }),
    put: (/** @type {string} */ path, /** @type {object} */ body) => call('PUT', path, body),
  };
}

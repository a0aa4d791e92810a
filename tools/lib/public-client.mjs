// A user of the public API, each call from an address of its own.
import { randomUUID } from 'node:crypto';
import { newAddress, parsed } from './raw-http.mjs';
import { until } from './until.mjs';

const PASSWORD = 'correct horse battery staple';
const BUSY_ATTEMPTS = 10;
const BUSY_MS = 2_000;

/**
 * @typedef {import('./raw-http.mjs').Http} Http
 * @typedef {{ id: string, email: string }} Person
 * @typedef {{ status: number, body: any, text: string }} Reply
 */

/** Not refused, but lost to others who changed the same, or not looked at. @param {number} status @param {string} text */
const isBusy = (status, text) => status === 503 || (status === 409 && text.includes('try again'));

/** @param {Http} http @param {string} outside where the systems that are called answer */
export function createClient(http, outside) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {{ body?: unknown, headers?: Record<string, string> }} [options]
   * @returns {Promise<Reply>}
   */
  async function call(method, path, { body, headers = {} } = {}) {
    const { status, text, failure } = await http.send({
      method,
      path,
      headers: {
        'X-Forwarded-For': newAddress(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: Buffer.isBuffer(body) ? body : JSON.stringify(body) }),
    });
    if (failure) throw new Error(`${method} ${path}: ${failure}`);
    return { status, body: parsed(text), text };
  }

  /** Fails unless the answer is a success. @type {(...args: Parameters<typeof call>) => Promise<any>} */
  async function must(method, path, options = {}) {
    const headers = { 'Idempotency-Key': randomUUID(), ...options.headers };
    let { status, body, text } = await call(method, path, { ...options, headers });
    // What another request keeps busy is ready again soon.
    for (let again = 0; isBusy(status, text) && again < BUSY_ATTEMPTS; again += 1) {
      await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
      ({ status, body, text } = await call(method, path, { ...options, headers }));
    }
    if (status < 200 || status > 399) throw new Error(`${method} ${path}: ${status} ${text}`);
    return body;
  }

  /** The bytes of an answer. @param {string} method @param {string} path */
  const raw = (method, path) =>
    until(async () => {
      const headers = { 'X-Forwarded-For': newAddress() };
      const { status, bytes } = await http.send({ method, path, headers });
      return status === 200 && bytes;
    }, `${method} ${path}`);

  /** @returns {Promise<Person>} */
  async function register() {
    const email = `probe-${randomUUID()}@example.com`;
    const body = { email, password: PASSWORD };
    return { id: (await must('POST', '/auth/register', { body })).data.id, email };
  }

  /** @param {Person} person @returns {Promise<{ access_token: string, refresh_token: string }>} */
  const signIn = async ({ email }) =>
    (await must('POST', '/auth/login', { body: { email, password: PASSWORD } })).data;

  /**
   * A named API token. @param {Person} person @param {{ scope: string, workspace_id?: string }} given
   * @returns {Promise<string>}
   */
  async function tokenOf(person, given) {
    const headers = { Authorization: `Bearer ${(await signIn(person)).access_token}` };
    const body = { name: 'Probe', ...given };
    return (await must('POST', '/service-api/user/api-tokens', { headers, body })).data.token;
  }

  /** The cookie that a page of ours is given at `path`. @param {string} path @param {object} body */
  async function cookieOf(path, body) {
    const { status, headers, text } = await http.send({
      method: 'POST',
      path,
      headers: {
        'X-Forwarded-For': newAddress(),
        'Content-Type': 'application/json',
        'Sec-Fetch-Site': 'same-origin',
        'X-Laurel-Page': '1',
      },
      body: JSON.stringify(body),
    });
    const [cookie] = headers['set-cookie'] ?? [];
    if (!cookie) throw new Error(`POST ${path}: ${status} ${text}`);
    return /** @type {string} */ (cookie.split(';')[0]);
  }

  return { call, must, raw, register, signIn, tokenOf, cookieOf, outside };
}

/** @typedef {ReturnType<typeof createClient>} Client */

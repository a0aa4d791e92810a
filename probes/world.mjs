// A workspace with one of everything in it, made through the public API as its owner makes it.
import { randomUUID } from 'node:crypto';
import { newAddress, parsed } from './http.mjs';
import { makerOf } from './makers/index.mjs';

/** Less than a credential may ask in a minute. */
const CALLS_PER_SESSION = 400;
const PASSWORD = 'correct horse battery staple';
const WAIT_MS = 30_000;
const BUSY_ATTEMPTS = 10;
const BUSY_MS = 2_000;

/**
 * @typedef {import('./http.mjs').Http} Http
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

/**
 * A credential that is renewed before its limit is reached.
 *
 * @param {() => Promise<string>} renew
 */
export function createCredential(renew) {
  /** @type {Promise<string> | undefined} */
  let current;
  let uses = 0;
  return () => {
    if (!current || uses >= CALLS_PER_SESSION) {
      current = renew();
      uses = 0;
    }
    uses += 1;
    return current;
  };
}

/**
 * @template T
 * @param {() => Promise<T | undefined | null | false>} look
 * @param {string} what
 * @param {number} [withinMs]
 * @returns {Promise<T>}
 */
export async function until(look, what, withinMs = WAIT_MS) {
  const endsAt = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found) return found;
    if (Date.now() > endsAt) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * @param {Client} client
 * @param {{ owner: Person, admin: () => Promise<string> }} [known] whose workspace it shall be
 */
export async function createWorld(client, known) {
  const owner = known?.owner ?? (await client.register());
  const admin =
    known?.admin ?? createCredential(async () => (await client.signIn(owner)).access_token);
  const bearer = async () => ({ Authorization: `Bearer ${await admin()}` });
  const { data: workspace } = await client.must('POST', '/service-api/workspaces', {
    headers: await bearer(),
    body: { name: 'Probe' },
  });

  /** As the admin; `:ws` in a path is the workspace. @param {string} method @param {string} path @param {unknown} [body] */
  const ask = async (method, path, body) =>
    client.must(method, path.replace(/^:ws/, `/service-api/workspace/${workspace.id}`), {
      headers: await bearer(),
      ...(body === undefined ? {} : { body }),
    });

  /** @type {Map<string, Promise<any>>} */
  const rows = new Map();

  const world = {
    id: /** @type {string} */ (workspace.id),
    slug: /** @type {string} */ (workspace.slug),
    owner,
    admin,
    client,
    ask,
    /** A row of the workspace, the same each time. @param {string} noun @returns {Promise<any>} */
    get(noun) {
      const known = rows.get(noun) ?? world.fresh(noun);
      rows.set(noun, known);
      return known;
    },
    /** A row that nobody else uses. @param {string} noun @returns {Promise<any>} */
    async fresh(noun) {
      const maker = makerOf(noun);
      if (!maker) throw new Error(`nobody knows how to make a ${noun}`);
      try {
        return await maker(world);
      } catch (error) {
        throw new Error(`making a ${noun}: ${/** @type {Error} */ (error).message}`);
      }
    },
    /** Lets the next `get` make another one. @param {string} noun */
    forget: (noun) => rows.delete(noun),
  };
  return world;
}

/** @typedef {Awaited<ReturnType<typeof createWorld>>} World */

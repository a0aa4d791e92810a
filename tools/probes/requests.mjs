// A valid request for each operation: the starting point of those who then spoil one thing of it.

import { newAddress } from '../lib/raw-http.mjs';
import { BASES } from './bases/index.mjs';
import { exampleOf } from './example.mjs';
import { nounOfField, nounOfParameter } from './nouns.mjs';

/** @typedef {import('./operations.mjs').Operation} Operation */
/** @typedef {import('./world.mjs').World} World */
/**
 * @typedef {object} Request
 * @property {Record<string, string>} params
 * @property {Record<string, unknown>} query
 * @property {any} body undefined where none is sent
 * @property {Record<string, string>} headers without the credential
 * @property {Buffer} [content] what is sent instead of a JSON body
 */
/** @typedef {Partial<Request>} Base */

/** Valid requests inside one world. @param {World} world */
export function createRequests(world) {
  /** @type {Map<string, Promise<any>>} */
  const ownRows = new Map();

  /**
   * A row that only this operation sees, until it has used it up: what one operation spoils is not what another meets.
   *
   * @param {Operation} operation
   */
  const rowsOf = (operation) => (/** @type {string} */ noun) => {
    if (!operation.changes || SHARED.has(noun)) return world.get(noun);
    const key = `${operation.id} ${noun}`;
    const known = ownRows.get(key) ?? world.fresh(noun);
    ownRows.set(key, known);
    return known;
  };

  /** @param {Operation} operation @returns {Promise<Request>} */
  async function baseOf(operation) {
    const row = rowsOf(operation);
    const base = await BASES[operation.id]?.(world, row);
    /** @type {Record<string, string>} */
    const params = { ...base?.params };
    for (const { name, schema } of operation.params) {
      if (params[name] !== undefined) continue;
      const noun = nounOfParameter(operation.path, name);
      if (name === 'workspaceId') params[name] = world.id;
      else params[name] = noun ? await row(noun) : exampleOf(schema, name);
    }
    return {
      params,
      query: base?.query ?? (await queryOf(operation, row)),
      body: base && 'body' in base ? base.body : await bodyOf(operation, row),
      headers: base?.headers ?? {},
      ...(base?.content ? { content: base.content } : {}),
    };
  }

  /** What an operation has used up is made anew for its next request. @param {Operation} operation */
  function usedUp(operation) {
    for (const key of ownRows.keys()) if (key.startsWith(`${operation.id} `)) ownRows.delete(key);
  }

  /** @param {string} name @param {(noun: string) => Promise<any>} row */
  const idOf = async (name, row) =>
    name === 'workspace_id' ? world.id : row(nounOfField(name) ?? '');

  /** @param {Operation} operation @param {(noun: string) => Promise<any>} row */
  async function queryOf(operation, row) {
    /** @type {Record<string, unknown>} */
    const query = {};
    for (const { name, required, schema } of operation.query)
      if (required)
        query[name] = nounOfField(name) ? await idOf(name, row) : exampleOf(schema, name);
    return query;
  }

  /** Ids are found while the example is made and filled in afterwards. @param {Operation} operation @param {(noun: string) => Promise<any>} row */
  async function bodyOf(operation, row) {
    if (!operation.body) return undefined;
    /** @type {Map<string, string>} */
    const wanted = new Map();
    const body = exampleOf(operation.body, '', (name) => {
      if (!nounOfField(name)) return undefined;
      wanted.set(name, `id of ${name}`);
      return `id of ${name}`;
    });
    let text = JSON.stringify(body);
    for (const [name, placeholder] of wanted)
      text = text.replaceAll(placeholder, String(await idOf(name, row)));
    return JSON.parse(text);
  }

  return { baseOf, usedUp };
}

/** Rows that a workspace has one of, or that are dear to make. */
const SHARED = new Set([
  'tier_set',
  'inbox',
  'app',
  'portal',
  'link',
  'whole_pass',
  'form',
  'role',
  'checkpoint',
  'delivery',
  'wallet_type_code',
]);

/**
 * The request as it goes out.
 *
 * @param {Operation} operation
 * @param {Request} request
 * @returns {import('../lib/raw-http.mjs').Wire}
 */
export function wireOf(operation, { params, query, body, headers, content }) {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      [value].flat().map((one) => /** @type {[string, string]} */ ([name, String(one)])),
    ),
  ).toString();
  const text = content ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    method: operation.method,
    path: search === '' ? path : `${path}?${search}`,
    headers: {
      'X-Forwarded-For': newAddress(),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  };
}

/**
 * The credential that an operation takes, as a header.
 *
 * @param {Operation} operation
 * @param {{ bearer: () => Promise<string>, mobile: () => Promise<string>, portal: () => Promise<string> }} credentials
 * @returns {Promise<Record<string, string>>}
 */
export async function credentialOf(operation, credentials) {
  if (operation.door === 'bearer') return { Authorization: `Bearer ${await credentials.bearer()}` };
  if (operation.door === 'mobile') return { 'X-Mobile-Token': await credentials.mobile() };
  if (operation.door === 'portal') return { 'x-client-token': await credentials.portal() };
  return {};
}

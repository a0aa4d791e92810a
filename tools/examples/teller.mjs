// Calls operations as the people of the story do, and keeps what the first call of each sent and was answered.
import { randomUUID } from 'node:crypto';
import { newAddress, parsed } from '../lib/raw-http.mjs';

/** Rows of a list that an example shows. */
const SHOWN = 2;
const BUSY_ATTEMPTS = 20;
const BUSY_MS = 500;

/**
 * @typedef {object} Given what a call is made of, and the parameters of its path beside it
 * @property {unknown} [body]
 * @property {Record<string, unknown>} [query]
 * @property {Record<string, string>} [headers] a credential among them is taken in place of the usual one
 * @property {{ content: Buffer, type: string }} [file] what is sent instead of JSON
 */
/** @typedef {{ id: string, tag: string, body?: unknown, answer?: unknown, at: { chapter: number, call: number, time: number } }} Example */
/** @typedef {{ method: string, path: string, operation: any }} Place */

/** Which header lets somebody in, by what the document says of an operation. @type {Record<string, string>} */
const HEADER = { bearer: 'Authorization', mobile: 'X-Mobile-Token', portal: 'x-client-token' };

/** @param {any} document @returns {Map<string, Place>} the operations by their ids */
function placesOf(document) {
  return new Map(
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        operation.operationId,
        { method: method.toUpperCase(), path, operation },
      ]),
    ),
  );
}

/**
 * @param {import('../lib/raw-http.mjs').Http} http
 * @param {any} document the API document of the platform that is asked
 */
export function createTeller(http, document) {
  const places = placesOf(document);
  /** @type {Map<string, Example>} */
  const kept = new Map();
  const now = { chapter: 0, call: 0 };
  /** When each chapter began. @type {number[]} */
  const begun = [];
  /** What lets in, by the name of the door; `workspaceId` stands in every path that has it. @type {Record<string, string>} */
  const known = {};

  /** @param {string} id @param {Given & Record<string, any>} [given] */
  function send(id, given = {}) {
    const place = places.get(id);
    if (!place) throw new Error(`the document has no ${id}`);
    return sendPatiently(http, wireOf(place, given, known));
  }

  /** Makes a call and keeps it, if it is the first of its operation. @param {string} id @param {Given & Record<string, any>} [given] */
  async function tell(id, given = {}) {
    if (!kept.has(id)) now.call += 1;
    const at = { ...now, time: Date.now() };
    const { text, headers } = await send(id, given);
    const isJson = String(headers['content-type']).startsWith('application/json');
    const answer = isJson ? parsed(text) : undefined;
    if (!kept.has(id))
      kept.set(id, { id, tag: places.get(id)?.operation.tags[0], body: given.body, answer, at });
    return answer;
  }

  /** What is answered, without being kept. @param {string} id @param {Given & Record<string, any>} [given] @returns {Promise<any>} */
  const ask = async (id, given) => parsed((await send(id, given)).text);

  return {
    known,
    begun,
    ask,
    send,
    tell,
    kept,
    /** @param {number} chapter */
    turnTo(chapter) {
      begun.push(Date.now());
      now.chapter = chapter;
      now.call = 0;
    },
  };
}

/** @typedef {ReturnType<typeof createTeller>} Teller */

/**
 * What is busy is asked again; a refusal ends the story.
 *
 * @param {import('../lib/raw-http.mjs').Http} http
 * @param {import('../lib/raw-http.mjs').Wire} wire
 */
async function sendPatiently(http, wire) {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await http.send(wire);
    const isBusy = answer.status === 503 || answer.headers['retry-after'] !== undefined;
    if (answer.status >= 200 && answer.status < 400) return answer;
    if (!isBusy || attempt === BUSY_ATTEMPTS)
      throw new Error(
        `${wire.method} ${wire.path}: ${answer.status} ${answer.text}${answer.failure ?? ''}`,
      );
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
  }
}

/** @param {Place} place @param {Given & Record<string, any>} given @param {Record<string, string>} known */
function wireOf({ method, path, operation }, given, known) {
  const { body, query = {}, headers = {}, file } = given;
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => {
    const value = given[name] ?? (name === 'workspaceId' ? known.workspaceId : undefined);
    if (value === undefined) throw new Error(`${operation.operationId} needs ${name}`);
    return encodeURIComponent(value);
  });
  const isPaged = operation.parameters.some(
    (/** @type {any} */ { name, in: where }) => name === 'limit' && where === 'query',
  );
  const search = new URLSearchParams(
    Object.entries({ ...(isPaged ? { limit: SHOWN } : {}), ...query }).map(
      ([name, value]) => /** @type {[string, string]} */ ([name, String(value)]),
    ),
  );
  const content = file?.content ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    method,
    path: search.size === 0 ? filled : `${filled}?${search}`,
    headers: {
      'X-Forwarded-For': newAddress(),
      'Idempotency-Key': randomUUID(),
      ...(content === undefined ? {} : { 'Content-Type': file?.type ?? 'application/json' }),
      ...credentialOf(operation, known),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  };
}

/** @param {any} operation @param {Record<string, string>} known @returns {Record<string, string>} */
function credentialOf({ security }, known) {
  const [door] = Object.keys(security[0] ?? {});
  const header = HEADER[door ?? ''];
  const token = known[door ?? ''];
  if (!header || !token) return {};
  return { [header]: door === 'bearer' ? `Bearer ${token}` : token };
}

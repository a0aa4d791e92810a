// Requests as an attacker writes them: paths, headers and bodies go out as they are, nothing is put in order first.
import { Agent, request as open } from 'node:http';

/** Longer than a gateway lets any request take. */
const PATIENCE_MS = 30_000;
/** An answer is read to here; what is longer is only counted. */
const KEPT_BYTES = 4 * 1024 * 1024;

/**
 * @typedef {object} Wire
 * @property {string} method
 * @property {string} path as it stands in the request line
 * @property {Record<string, string>} headers
 * @property {Buffer | string} [body]
 * @property {boolean} [chunked] without a length: the server does not know beforehand how much comes
 */
/**
 * @typedef {object} Answer
 * @property {number} status 0 where no answer came
 * @property {import('node:http').IncomingHttpHeaders} headers
 * @property {string} text
 * @property {Buffer} bytes
 * @property {number} size in bytes
 * @property {number} ms
 * @property {string} [failure] why no answer came
 */

/**
 * @param {readonly string[]} baseUrls the gateways; they take turns
 * @param {number} connections
 */
export function createHttp(baseUrls, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const targets = baseUrls.map((url) => new URL(url));
  let turn = 0;

  /** @param {Wire} wire @returns {Promise<Answer>} never rejects */
  function send(wire) {
    const target = /** @type {URL} */ (targets[turn++ % targets.length]);
    const startedAt = performance.now();
    return new Promise((resolve) => {
      /** @param {Partial<Answer>} answer */
      const end = (answer) =>
        resolve({
          status: 0,
          headers: {},
          text: '',
          bytes: Buffer.alloc(0),
          size: 0,
          ms: performance.now() - startedAt,
          ...answer,
        });
      try {
        const outgoing = open(
          {
            agent,
            host: target.hostname,
            port: target.port,
            method: wire.method,
            path: wire.path,
            headers: headersOf(wire),
          },
          (incoming) => void receive(incoming, end),
        );
        outgoing.setTimeout(PATIENCE_MS, () => outgoing.destroy(new Error('no answer came')));
        outgoing.on('error', (error) => end({ failure: error.message }));
        outgoing.end(wire.body);
      } catch (error) {
        // Node itself refuses some requests, a line break in a header for one: they cannot be sent by it.
        end({ failure: `unsendable: ${/** @type {Error} */ (error).message}` });
      }
    });
  }

  return { send, close: () => agent.destroy() };
}

/** @typedef {ReturnType<typeof createHttp>} Http */

/** @param {Wire} wire */
function headersOf({ headers, body, chunked }) {
  if (body === undefined) return headers;
  return {
    ...headers,
    ...(chunked
      ? { 'Transfer-Encoding': 'chunked' }
      : { 'Content-Length': String(Buffer.byteLength(body)) }),
  };
}

/** @param {import('node:http').IncomingMessage} incoming */
const isStream = ({ headers }) => headers['content-type']?.startsWith('text/event-stream') === true;

/**
 * @param {import('node:http').IncomingMessage} incoming
 * @param {(answer: Partial<Answer>) => void} end
 */
async function receive(incoming, end) {
  /** @type {Buffer[]} */
  const kept = [];
  let size = 0;
  try {
    for await (const piece of incoming) {
      if (size < KEPT_BYTES) kept.push(piece);
      size += piece.length;
      // It has no end: what comes first is the answer.
      if (isStream(incoming)) break;
    }
    const bytes = Buffer.concat(kept);
    const { statusCode: status = 0, headers } = incoming;
    end({ status, headers, bytes, text: bytes.toString(), size });
  } catch (error) {
    end({ failure: /** @type {Error} */ (error).message });
  }
}

/** Every call comes from somewhere else: what is limited by address is no part of this. */
export function newAddress() {
  const byte = () => Math.floor(Math.random() * 256);
  return `10.${byte()}.${byte()}.${byte()}`;
}

/** @param {string} text @returns {any} undefined where it is no JSON */
export function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

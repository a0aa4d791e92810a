// What no answer may be, whatever was asked.

/** @typedef {import('../lib/raw-http.mjs').Answer} Answer */
/** @typedef {import('../lib/raw-http.mjs').Wire} Wire */

export const SLOW_MS = 2_000;
const ERROR_BYTES_MAX = 64 * 1024;
/** A gateway may hang up on a sender of more than it takes. */
const BODY_BYTES_MAX = 1024 * 1024;

/** What only somebody inside should see. @type {readonly [string, RegExp][]} */
const INTERNALS = [
  ['a stack trace', /\bat (?:async )?[\w.<>]+ \(?[^\s()]+:\d+:\d+\)?/],
  ['a path of this machine', /\/(?:work|home|root|usr|var|app)\/[\w./-]+|node_modules|\.[tj]s:\d+/],
  ['an error of the language', /\b(?:Type|Range|Reference|Syntax|Assertion|Aggregate)Error\b/],
  [
    'an error of the store',
    /Mongo\w*Error|\bBSON\w*|\bE11000\b|\bCastError\b|postgres|\bpg_\w+|documentdb/i,
  ],
  ['an error of the network', /\bE(?:CONNREFUSED|CONNRESET|NOTFOUND|PIPE|TIMEDOUT|AI_AGAIN)\b/],
  [
    'an error of a call behind',
    /\b\d{1,2} (?:INTERNAL|UNAVAILABLE|UNKNOWN|CANCELLED|DEADLINE_EXCEEDED):/,
  ],
  ['an address inside', /\b(?:127\.0\.0\.1|localhost|10\.\d+\.\d+\.\d+):\d{2,5}\b/],
  ['SQL', /\b(?:SELECT\b.+\bFROM|INSERT INTO|UPDATE\b.+\bSET|DELETE FROM)\b/],
];

/** What is not set up unless an operator configures it. @type {Record<string, number>} */
const UNCONFIGURED = { 'POST /auth/sso': 503 };

/**
 * @param {string} operationId
 * @param {Wire} wire
 * @param {Answer} answer
 * @returns {string | null} what is wrong with it
 */
export function complaintAbout(operationId, wire, answer) {
  const { status, failure, ms, size } = answer;
  if (failure?.startsWith('unsendable')) return null;
  if (failure) return sentTooMuch(wire) ? null : `no answer: ${failure}`;
  if (status >= 500 && !isAdmitted(operationId, answer)) return `status ${status}`;
  if (ms > SLOW_MS) return `took ${Math.round(ms)} ms`;
  if (status < 400) return null;
  if (size > ERROR_BYTES_MAX) return `an error of ${size} bytes`;
  return internalsIn(wire, answer);
}

/** @param {Wire} wire */
const sentTooMuch = ({ body }) => body !== undefined && Buffer.byteLength(body) > BODY_BYTES_MAX;

/** Busy, and says when to come again. @param {string} operationId @param {Answer} answer */
function isAdmitted(operationId, { status, headers }) {
  if (UNCONFIGURED[operationId] === status) return true;
  return status === 503 && headers['retry-after'] !== undefined;
}

/** What the request itself brought is no internal. @param {Wire} wire @param {Answer} answer */
function internalsIn(wire, { text }) {
  const sent = `${wire.path} ${decoded(wire.path)} ${wire.body ?? ''}`;
  for (const [what, pattern] of INTERNALS) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined && !sent.includes(found)) return `shows ${what}: ${found.slice(0, 80)}`;
  }
  return null;
}

/** @param {string} path */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return '';
  }
}

// L4: the log is the log that was written. Follows packages/ledger-verifier/README.md, which describes the hash.
import { createHash, createHmac } from 'node:crypto';
import { finding, logsOf, nameOf } from './world.mjs';

/** @typedef {import('./world.mjs').World} World */
/** @typedef {import('./world.mjs').Entry} Entry */

const GENESIS = '0'.repeat(64);

/** What is stored around an entry and may change without breaking its hash. */
const AROUND = new Set(['prev_hash', 'hash', 'status', 'status_at', 'note', 'cause', 'unrelayed']);

/**
 * JSON as RFC 8785 has it, for text, whole numbers and dates (ISO 8601 with milliseconds): members in order of
 * their names, no blanks, nothing for what is undefined.
 *
 * @param {any} value
 * @returns {string}
 */
export function canonical(value) {
  if (value instanceof Date) return `"${value.toISOString()}"`;
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
    .join(',')}}`;
}

/**
 * @param {Entry} entry
 * @param {string} previous hash of the entry before
 * @returns {string} what its hash must be
 */
export function hashOf(entry, previous) {
  const body = Object.fromEntries(Object.entries(entry).filter(([name]) => !AROUND.has(name)));
  return createHash('sha256')
    .update(`${previous}\n${canonical(body)}`)
    .digest('hex');
}

/** @param {NonNullable<Entry['note']>} note */
export const digestOfNote = ({ salt, description, metadata }) =>
  createHmac('sha256', Buffer.from(salt, 'hex'))
    .update(canonical({ description, metadata }))
    .digest('hex');

/**
 * L4: each hash covers the entry and the hash before it, free text matches its digest, and the wallet knows the
 * last hash.
 *
 * @param {World} world
 */
export function chainsHold(world) {
  const found = finding();
  const wallets = new Map(world.wallets.map((wallet) => [wallet._id, wallet]));
  for (const [id, log] of logsOf(world)) {
    let previous = GENESIS;
    for (const entry of log) {
      found.must(entry.prev_hash === previous, () => `${nameOf(entry)} does not follow its chain`);
      found.must(
        hashOf(entry, entry.prev_hash) === entry.hash,
        () => `${nameOf(entry)} is not what was hashed`,
      );
      found.must(
        entry.note === null || digestOfNote(entry.note) === entry.note_digest,
        () => `the free text of ${nameOf(entry)} is not what was hashed`,
      );
      previous = entry.hash;
    }
    found.must(
      wallets.get(id)?.hash === previous,
      () => `wallet ${id} ends in another hash than its log`,
    );
  }
  return found;
}

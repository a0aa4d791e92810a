// Counts what services ask of the store on the wire: not what a driver believes it has sent, but what arrives, and how
// many documents the store says it has written.
import { BSON } from 'mongodb';
import { splitFrames } from './frames.mjs';

const OP_MSG = 2013;
const HEADER_BYTES = 16;
const FLAGS_BYTES = 4;
const CHECKSUM_PRESENT = 1;
/** A driver's own: not part of any operation. */
const OWN = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'endSessions', 'saslStart']);

/** @typedef {{ commands: number, written: number, read: number, bytes: number }} StoreCount */
/** @typedef {Map<string, StoreCount>} StoreCounts by `database collection command` */

/** @param {StoreCounts} counts */
export function watchStore(counts) {
  /** Which command an answer belongs to. @type {Map<number, string>} */
  const asked = new Map();
  const lengthOf = (/** @type {Buffer} */ bytes) => (bytes.length < 4 ? 0 : bytes.readInt32LE(0));

  /** @param {Buffer} message */
  const onRequest = (message) => {
    const command = mainDocument(message);
    if (!command) return;
    const [name = ''] = Object.keys(command);
    if (OWN.has(name)) return;
    const collection = name === 'getMore' ? command.collection : command[name];
    const key = [command.$db, typeof collection === 'string' ? collection : '-', name].join(' ');
    asked.set(message.readInt32LE(4), key);
    const count = counts.get(key) ?? { commands: 0, written: 0, read: 0, bytes: 0 };
    count.commands += 1;
    count.bytes += message.length;
    counts.set(key, count);
  };

  /** @param {Buffer} message */
  const onReply = (message) => {
    const requestId = message.readInt32LE(8);
    const key = asked.get(requestId);
    asked.delete(requestId);
    const count = key === undefined ? undefined : counts.get(key);
    const reply = count && mainDocument(message);
    if (!count || !reply) return;
    count.bytes += message.length;
    count.written += writtenOf(key?.split(' ').at(-1) ?? '', reply);
    count.read += (reply.cursor?.firstBatch ?? reply.cursor?.nextBatch ?? []).length;
  };
  return {
    sent: splitFrames(lengthOf, onRequest),
    answered: splitFrames(lengthOf, onReply),
  };
}

/** The document of section 0. @param {Buffer} message */
function mainDocument(message) {
  if (message.readInt32LE(12) !== OP_MSG) return undefined;
  const end = message.length - (message.readUInt32LE(HEADER_BYTES) & CHECKSUM_PRESENT ? 4 : 0);
  let at = HEADER_BYTES + FLAGS_BYTES;
  while (at < end) {
    const kind = message[at];
    const size = message.readInt32LE(at + 1);
    if (kind === 0) return BSON.deserialize(message.subarray(at + 1, at + 1 + size));
    at += 1 + size;
  }
  return undefined;
}

/**
 * Documents that a command has inserted, changed or removed, by its own answer.
 *
 * @param {string} command
 * @param {BSON.Document} reply
 */
function writtenOf(command, reply) {
  switch (command) {
    case 'insert':
    case 'delete':
      return reply.n ?? 0;
    case 'update':
      return (reply.nModified ?? 0) + (reply.upserted?.length ?? 0);
    case 'findAndModify':
      return reply.lastErrorObject?.n ?? 0;
    case 'bulkWrite':
      return (
        (reply.nInserted ?? 0) +
        (reply.nModified ?? 0) +
        (reply.nUpserted ?? 0) +
        (reply.nDeleted ?? 0)
      );
    default:
      return 0;
  }
}

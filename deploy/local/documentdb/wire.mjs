// The few bytes of the MongoDB wire protocol that starting a server needs: one OP_MSG out, one reply in.
// Node built-ins only, because this runs before anything is installed.
import net from 'node:net';

const OP_MSG = 2013;
const HEADER_BYTES = 16;
const BODY_OFFSET = 21; // header, flag bits, section kind

/**
 * Encodes a plain object as BSON: strings, 32-bit integers, booleans, arrays and nested objects.
 * @param {Record<string, unknown> | unknown[]} value
 * @returns {Buffer}
 */
export function encodeDocument(value) {
  const parts = Object.entries(value).map(([key, field]) => encodeField(key, field));
  const body = Buffer.concat([...parts, Buffer.from([0])]);
  return Buffer.concat([int32(body.length + 4), body]);
}

function encodeField(key, field) {
  const head = (type) => Buffer.concat([Buffer.from([type]), Buffer.from(`${key}\0`)]);
  if (typeof field === 'string') {
    const text = Buffer.from(`${field}\0`);
    return Buffer.concat([head(0x02), int32(text.length), text]);
  }
  if (typeof field === 'number') return Buffer.concat([head(0x10), int32(field)]);
  if (typeof field === 'boolean') return Buffer.concat([head(0x08), Buffer.from([field ? 1 : 0])]);
  return Buffer.concat([head(Array.isArray(field) ? 0x04 : 0x03), encodeDocument(field)]);
}

const readers = {
  1: (buffer, at) => [buffer.readDoubleLE(at), 8],
  2: (buffer, at) => [
    buffer.toString('utf8', at + 4, at + 3 + buffer.readInt32LE(at)),
    4 + buffer.readInt32LE(at),
  ],
  3: (buffer, at) => [decodeDocument(buffer, at), buffer.readInt32LE(at)],
  4: (buffer, at) => [Object.values(decodeDocument(buffer, at)), buffer.readInt32LE(at)],
  5: (buffer, at) => [undefined, 5 + buffer.readInt32LE(at)],
  7: (buffer, at) => [buffer.toString('hex', at, at + 12), 12],
  8: (buffer, at) => [buffer[at] === 1, 1],
  9: (buffer, at) => [new Date(Number(buffer.readBigInt64LE(at))), 8],
  10: () => [null, 0],
  16: (buffer, at) => [buffer.readInt32LE(at), 4],
  17: (buffer, at) => [buffer.readBigUInt64LE(at), 8],
  18: (buffer, at) => [buffer.readBigInt64LE(at), 8],
};

/**
 * Decodes the BSON types a server uses in `hello` and `replSetInitiate` replies.
 * @param {Buffer} buffer
 * @param {number} [start] offset of the document
 * @returns {Record<string, unknown>}
 * @throws {Error} on a BSON type that those replies never hold
 */
export function decodeDocument(buffer, start = 0) {
  const document = {};
  const end = start + buffer.readInt32LE(start) - 1;
  for (let at = start + 4; at < end; ) {
    const type = buffer[at];
    const keyEnd = buffer.indexOf(0, at + 1);
    const read = readers[type];
    if (!read) throw new Error(`Unexpected BSON type ${type} in a server reply`);
    const [field, length] = read(buffer, keyEnd + 1);
    document[buffer.toString('utf8', at + 1, keyEnd)] = field;
    at = keyEnd + 1 + length;
  }
  return document;
}

/**
 * Sends one command to a MongoDB-compatible server and returns its reply.
 * @param {number} port on 127.0.0.1
 * @param {Record<string, unknown>} command without `$db`; goes to `admin`
 * @param {number} [timeout] milliseconds
 * @returns {Promise<Record<string, any>>} rejects when the server cannot be reached or does not answer in time
 */
export function runCommand(port, command, timeout = 5000) {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    const finish = (settle, value) => {
      socket.destroy();
      settle(value);
    };
    socket.setTimeout(timeout, () => finish(reject, new Error(`No answer on port ${port}`)));
    socket.on('error', (error) => finish(reject, error));
    socket.on('close', () => reject(new Error(`Connection to port ${port} closed`)));
    socket.on('connect', () => socket.write(encodeMessage(command)));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      if (received.length < HEADER_BYTES || received.length < received.readInt32LE(0)) return;
      finish(resolve, decodeDocument(received, BODY_OFFSET));
    });
  });
}

function encodeMessage(command) {
  const body = encodeDocument({ ...command, $db: 'admin' });
  const header = [BODY_OFFSET + body.length, 1, 0, OP_MSG, 0].map(int32);
  return Buffer.concat([...header, Buffer.from([0]), body]);
}

function int32(value) {
  const buffer = Buffer.alloc(4);
  buffer.writeInt32LE(value);
  return buffer;
}

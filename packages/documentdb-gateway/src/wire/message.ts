/** A request as it came over the wire: OP_MSG, or the OP_QUERY that old handshakes use. */
export interface Request {
  requestId: number;
  opCode: number;
  /** The client waits for no answer (unacknowledged write). */
  moreToCome: boolean;
  /** The command document. */
  body: Buffer;
  /** Document sequences by their identifier: documents one after another. */
  sequences: Map<string, Buffer>;
}

/** The bytes are not a request that the gateway understands; the connection cannot go on. */
export class ProtocolError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'ProtocolError';
  }
}

export const OP_REPLY = 1;
export const OP_QUERY = 2004;
export const OP_MSG = 2013;
/** Largest message a client may send, as announced in hello. */
export const MAX_MESSAGE_BYTES = 48_000_000;

const HEADER_BYTES = 16;
const CHECKSUM_PRESENT = 1;
const MORE_TO_COME = 2;
const UNKNOWN_REQUIRED_BITS = 0xfffc;
const REPLY_PREFIX_BYTES = 36;
const MESSAGE_PREFIX_BYTES = 21;

/**
 * Parses one whole message.
 * @throws ProtocolError on anything but OP_MSG and OP_QUERY, or broken framing
 */
export function parseRequest(message: Buffer): Request {
  const requestId = message.readInt32LE(4);
  const opCode = message.readInt32LE(12);
  if (opCode === OP_MSG) return parseMsg(message, requestId);
  if (opCode === OP_QUERY) return parseQuery(message, requestId);
  throw new ProtocolError(`Unsupported opcode ${opCode}`);
}

function parseMsg(message: Buffer, requestId: number): Request {
  const flags = message.readUInt32LE(HEADER_BYTES);
  if (flags & UNKNOWN_REQUIRED_BITS) throw new ProtocolError(`Unknown OP_MSG flags ${flags}`);
  const end = message.length - (flags & CHECKSUM_PRESENT ? 4 : 0);
  const sequences = new Map<string, Buffer>();
  let body: Buffer | undefined;
  for (let at = HEADER_BYTES + 4; at < end; ) {
    const kind = message[at++];
    const length = at + 4 <= end ? message.readInt32LE(at) : -1;
    if (length < 5 || at + length > end)
      throw new ProtocolError('OP_MSG section with a wrong length');
    const section = message.subarray(at, at + length);
    if (kind === 0) body = section;
    else if (kind === 1) addSequence(sequences, section);
    else throw new ProtocolError(`Unknown OP_MSG section kind ${kind}`);
    at += length;
  }
  if (!body) throw new ProtocolError('OP_MSG without a body');
  return { requestId, opCode: OP_MSG, moreToCome: (flags & MORE_TO_COME) !== 0, body, sequences };
}

function addSequence(sequences: Map<string, Buffer>, section: Buffer): void {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new ProtocolError('Document sequence without an identifier');
  sequences.set(section.toString('utf8', 4, nameEnd), section.subarray(nameEnd + 1));
}

/** OP_QUERY: flags, collection name, skip, limit, command document. */
function parseQuery(message: Buffer, requestId: number): Request {
  const nameEnd = message.indexOf(0, HEADER_BYTES + 4);
  const at = nameEnd + 1 + 8;
  if (nameEnd < 0 || at + 4 > message.length) throw new ProtocolError('Cut OP_QUERY');
  const length = message.readInt32LE(at);
  if (at + length > message.length) throw new ProtocolError('OP_QUERY with a wrong length');
  const body = message.subarray(at, at + length);
  return { requestId, opCode: OP_QUERY, moreToCome: false, body, sequences: new Map() };
}

/** @returns the message that answers `request` with `document` */
export function encodeReply(request: Request, document: Uint8Array, replyId: number): Buffer {
  const prefix = request.opCode === OP_QUERY ? REPLY_PREFIX_BYTES : MESSAGE_PREFIX_BYTES;
  const message = Buffer.allocUnsafe(prefix + document.length);
  message.fill(0, 0, prefix);
  message.writeInt32LE(message.length, 0);
  message.writeInt32LE(replyId, 4);
  message.writeInt32LE(request.requestId, 8);
  message.writeInt32LE(request.opCode === OP_QUERY ? OP_REPLY : OP_MSG, 12);
  if (request.opCode === OP_QUERY) message.writeInt32LE(1, 32); // number returned
  message.set(document, prefix);
  return message;
}

/** Cuts a client's byte stream into messages without copying more than once. */
export class MessageSplitter {
  private chunks: Buffer[] = [];
  private buffered = 0;
  private needed = HEADER_BYTES;

  /**
   * @returns the messages that `chunk` completes
   * @throws ProtocolError when a length is out of bounds
   */
  push(chunk: Buffer): Buffer[] {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    if (this.buffered < this.needed) return [];
    let rest = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks, this.buffered);
    const messages: Buffer[] = [];
    for (;;) {
      this.needed = rest.length < HEADER_BYTES ? HEADER_BYTES : messageLength(rest);
      if (rest.length < this.needed) break;
      messages.push(rest.subarray(0, this.needed));
      rest = rest.subarray(this.needed);
      if (rest.length < HEADER_BYTES) {
        this.needed = HEADER_BYTES;
        break;
      }
    }
    this.chunks = rest.length > 0 ? [rest] : [];
    this.buffered = rest.length;
    return messages;
  }
}

function messageLength(bytes: Buffer): number {
  const length = bytes.readInt32LE(0);
  if (length < HEADER_BYTES + 5 || length > MAX_MESSAGE_BYTES) {
    throw new ProtocolError(`Message of ${length} bytes`);
  }
  return length;
}

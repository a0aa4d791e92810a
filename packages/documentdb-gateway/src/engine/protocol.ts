/** Encoders and decoders of the PostgreSQL 3.0 messages that the gateway sends and reads. */

const PROTOCOL_3_0 = 196_608;
const CANCEL_REQUEST = 80_877_102;
const MESSAGE_HEADER_BYTES = 5;
const BINARY = 1;
const TEXT = 0;

/** A parameter: a Buffer goes in binary, a string as text. */
export type Parameter = Buffer | string | null;

/** One column of a result row in the server's binary format, or null. */
export type Column = Buffer | null;

/** The fields of an ErrorResponse that the gateway looks at. */
export interface ErrorFields {
  sqlstate: string;
  message: string;
  detail: string;
}

/** First message of a connection; every setting is a server parameter by name. */
export function startupMessage(settings: Record<string, string>): Buffer {
  const pairs = Object.entries(settings).map(([name, value]) => `${name}\0${value}\0`);
  const body = Buffer.from(`${pairs.join('')}\0`);
  const head = Buffer.allocUnsafe(8);
  head.writeInt32BE(body.length + 8, 0);
  head.writeInt32BE(PROTOCOL_3_0, 4);
  return Buffer.concat([head, body]);
}

/** Asks, over a connection of its own, to cancel what another backend runs. */
export function cancelMessage(processId: number, secret: number): Buffer {
  const message = Buffer.allocUnsafe(16);
  message.writeInt32BE(16, 0);
  message.writeInt32BE(CANCEL_REQUEST, 4);
  message.writeInt32BE(processId, 8);
  message.writeInt32BE(secret, 12);
  return message;
}

/** Parse: prepares `sql` under `name`, parameter types left to the server. */
export function parseMessage(name: string, sql: string): Buffer {
  return framed('P', Buffer.from(`${name}\0${sql}\0\0\0`));
}

/** Bind to the unnamed portal (all results binary) and Execute it without a row limit. */
export function bindExecuteMessage(name: string, parameters: readonly Parameter[]): Buffer {
  const values = parameters.map((value) =>
    typeof value === 'string' ? Buffer.from(value) : value,
  );
  const nameBytes = Buffer.byteLength(name);
  const valueBytes = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), 0);
  const bindBytes =
    MESSAGE_HEADER_BYTES + 1 + nameBytes + 1 + 2 + 2 * values.length + 2 + valueBytes + 4;
  const message = Buffer.allocUnsafe(bindBytes + EXECUTE.length);
  let at = header(message, 'B', bindBytes);
  message[at++] = 0; // unnamed portal
  at += message.write(name, at);
  message[at++] = 0;
  at = message.writeInt16BE(values.length, at);
  for (const parameter of parameters) {
    at = message.writeInt16BE(typeof parameter === 'string' ? TEXT : BINARY, at);
  }
  at = message.writeInt16BE(values.length, at);
  for (const value of values) {
    at = message.writeInt32BE(value?.length ?? -1, at);
    if (value) at += value.copy(message, at);
  }
  at = message.writeInt16BE(1, at);
  at = message.writeInt16BE(BINARY, at);
  EXECUTE.copy(message, at);
  return message;
}

/** Ends a pipelined exchange; the server answers ReadyForQuery. */
export const SYNC = framed('S', Buffer.alloc(0));

/** Ends the connection in order. */
export const TERMINATE = framed('X', Buffer.alloc(0));

const EXECUTE = framed('E', Buffer.alloc(5));

/** @param body of a DataRow message; the columns are views of it */
export function readRow(body: Buffer): Column[] {
  const columns: Column[] = new Array(body.readInt16BE(0));
  let at = 2;
  for (let index = 0; index < columns.length; index++) {
    const length = body.readInt32BE(at);
    at += 4;
    columns[index] = length < 0 ? null : body.subarray(at, at + length);
    at += Math.max(length, 0);
  }
  return columns;
}

/** @param body of an ErrorResponse message */
export function readError(body: Buffer): ErrorFields {
  const fields = new Map<string, string>();
  for (const field of body.toString('utf8').split('\0')) {
    if (field) fields.set(field.charAt(0), field.slice(1));
  }
  return {
    sqlstate: fields.get('C') ?? 'XX000',
    message: fields.get('M') ?? 'unknown engine error',
    detail: fields.get('D') ?? '',
  };
}

/** Cuts a byte stream into PostgreSQL messages. */
export class MessageSplitter {
  private chunks: Buffer[] = [];
  private buffered = 0;
  private needed = MESSAGE_HEADER_BYTES;

  /** @returns the messages that `chunk` completes: type byte and body */
  *push(chunk: Buffer): Generator<{ type: number; body: Buffer }> {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    if (this.buffered < this.needed) return;
    let rest = this.chunks.length === 1 ? chunk : Buffer.concat(this.chunks, this.buffered);
    for (;;) {
      this.needed =
        rest.length < MESSAGE_HEADER_BYTES ? MESSAGE_HEADER_BYTES : 1 + rest.readInt32BE(1);
      if (rest.length < this.needed) break;
      yield { type: rest[0] as number, body: rest.subarray(MESSAGE_HEADER_BYTES, this.needed) };
      rest = rest.subarray(this.needed);
    }
    this.chunks = rest.length > 0 ? [rest] : [];
    this.buffered = rest.length;
  }
}

function framed(type: string, body: Buffer): Buffer {
  const message = Buffer.allocUnsafe(MESSAGE_HEADER_BYTES + body.length);
  body.copy(message, header(message, type, message.length));
  return message;
}

function header(message: Buffer, type: string, messageBytes: number): number {
  message.write(type, 0, 'latin1');
  return message.writeInt32BE(messageBytes - 1, 1);
}

import {
  assemble,
  BsonType,
  type Element,
  elements,
  MalformedBson,
  readEmbedded,
  readInteger,
  readString,
  readTruth,
} from './bson-scan';
import type { Request } from './message';

/**
 * Fields of a command that concern the session, the routing or the API version: the gateway acts on them and the
 * engine would refuse them.
 */
const GATEWAY_FIELDS = new Set([
  'lsid',
  '$db',
  '$clusterTime',
  '$readPreference',
  'txnNumber',
  'startTransaction',
  'autocommit',
  'stmtId',
  'stmtIds',
  'maxTimeMS',
  'readConcern',
  'writeConcern',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
]);

/** A parsed command: the few fields the gateway looks at, and the rest as it came. */
export interface Command {
  /** As the client spelled it. */
  name: string;
  /** Value of the first field where it is a string: the collection of most commands. */
  target: string;
  db: string;
  /** Session id in hex; '' outside of a session. */
  session: string;
  txnNumber: bigint | null;
  startsTransaction: boolean;
  /** Part of a multi-document transaction (`autocommit: false`). */
  inTransaction: boolean;
  /** 0: no limit. */
  maxTimeMs: number;
  /** The command document without the fields that are the gateway's business. */
  spec: Buffer;
  sequences: Map<string, Buffer>;
  /** Top-level elements by name, into `body`. */
  fields: Map<string, Element>;
  body: Buffer;
}

/**
 * @throws MalformedBson
 */
export function parseCommand(request: Request): Command {
  const { body, sequences } = request;
  const fields = new Map<string, Element>();
  for (const element of elements(body)) fields.set(element.name, element);
  const [first] = fields.values();
  if (!first) throw new MalformedBson('empty command');
  const autocommit = fields.get('autocommit');
  return {
    name: first.name,
    target: readString(body, first) ?? '',
    db: text(body, fields.get('$db')) || 'test',
    session: sessionOf(body, fields.get('lsid')),
    txnNumber: integer(body, fields.get('txnNumber')) ?? null,
    startsTransaction: truth(body, fields.get('startTransaction')),
    inTransaction: autocommit !== undefined && !readTruth(body, autocommit),
    maxTimeMs: Number(integer(body, fields.get('maxTimeMS')) ?? 0n),
    spec: strip(body, fields),
    sequences,
    fields,
    body,
  };
}

function strip(body: Buffer, fields: Map<string, Element>): Buffer {
  const runs: Array<{ start: number; end: number }> = [];
  for (const { name, start, end } of fields.values()) {
    if (GATEWAY_FIELDS.has(name)) continue;
    const last = runs.at(-1);
    if (last?.end === start) last.end = end;
    else runs.push({ start, end });
  }
  return assemble(runs.map(({ start, end }) => body.subarray(start, end)));
}

function sessionOf(body: Buffer, lsid: Element | undefined): string {
  const document = lsid && readEmbedded(body, lsid);
  if (!document) return '';
  for (const { name, type, value, end } of elements(document)) {
    if (name === 'id' && type === BsonType.binary) return document.toString('hex', value + 5, end);
  }
  return '';
}

function text(body: Buffer, element: Element | undefined): string | undefined {
  return element && readString(body, element);
}

function integer(body: Buffer, element: Element | undefined): bigint | undefined {
  return element && readInteger(body, element);
}

function truth(body: Buffer, element: Element | undefined): boolean {
  return element !== undefined && readTruth(body, element);
}

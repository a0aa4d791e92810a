import mongoose from 'mongoose';
import { driverFile } from './driver';

const { BSON, Binary, DBRef } = mongoose.mongo;

type Options = NonNullable<Parameters<typeof BSON.deserialize>[1]>;
interface DriverDocument {
  toBytes(): Uint8Array;
  toObject(options?: Options): Record<string, unknown>;
}
type DocumentClass = { prototype: DriverDocument };

/** The name of a member as it stands in the bytes of a document, its end included. */
const REFERENCE = Buffer.from('$ref\0');
/** A member `$` that is null, in bytes. What has one is no DBRef, and a DBRef has none. */
const MARK = Buffer.from('\x0a$\0');
const LENGTH_BYTES = 4;

/**
 * Lets what is read be what was written. The driver (bson 7.3.4, `toPotentialDbRef`) makes an object of its own, a DBRef,
 * of whatever has members `$ref` and `$id`, which JSON Schema and others use as well: their names and their order are lost,
 * and there is no option against it. To be called before the first connection.
 */
export function readDocumentsAsWritten(): void {
  const { prototype } = driverFile<{ OnDemandDocument: DocumentClass }>(
    'cmap/wire_protocol/on_demand/document',
  ).OnDemandDocument;
  const { toObject } = prototype;
  prototype.toObject = function (this: DriverDocument, options: Options = {}) {
    const bytes = this.toBytes();
    return options.raw === true || !mayRefer(bytes)
      ? toObject.call(this, options)
      : readDocument(bytes, options);
  };
}

/** The document that some bytes are, without any DBRef in it. */
export function readDocument(bytes: Uint8Array, options: Options): Record<string, unknown> {
  if (!mayRefer(bytes)) return BSON.deserialize(bytes, options);
  // What is within comes as bytes, and is read for itself.
  const shallow = { ...options, raw: true, promoteBuffers: false };
  let document = BSON.deserialize(bytes, shallow);
  if (document instanceof DBRef) {
    const { $: _mark, ...members } = BSON.deserialize(marked(bytes), shallow);
    document = members;
  }
  for (const [name, value] of Object.entries(document)) document[name] = readValue(value, options);
  return document;
}

/** The same document with the mark as its first member. */
function marked(bytes: Uint8Array): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeInt32LE(bytes.length + MARK.length);
  return Buffer.concat([length, MARK, bytes.subarray(LENGTH_BYTES)]);
}

function readValue(value: unknown, options: Options): unknown {
  if (value instanceof Uint8Array) return readDocument(value, options);
  if (Array.isArray(value)) return value.map((one) => readValue(one, options));
  const isPromoted = options.promoteBuffers === true && options.promoteValues !== false;
  return isPromoted && value instanceof Binary ? value.value() : value;
}

/** Whether the bytes hold the name anywhere: as that of a member, or at the end of some text. */
function mayRefer({ buffer, byteOffset, length }: Uint8Array): boolean {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, length).includes(REFERENCE);
}

import type { Json } from '@laurel/errors';
import {
  type Field,
  MapField,
  type Method,
  Reader,
  type Root,
  Type,
  types,
  Writer,
} from 'protobufjs';

type Message = Record<string, unknown>;
type Convert = (value: unknown) => unknown;

/** How a value is written to the wire and read back; a message without its length, which its holder knows. */
interface Codec {
  write(writer: Writer, value: unknown): void;
  read(reader: Reader, end: number): unknown;
}

/** One rpc's request or reply as bytes. */
export interface MessageCodec {
  encode(value: unknown): Buffer;
  decode(bytes: Uint8Array): unknown;
}

const unwrapValue: Convert = (wire) => (wire as Message).value ?? null;
const wrapNullable: Convert = (value) => (value === null ? {} : { value });

/** The wrappers of protos/common.proto and the plain values that code sees in their place. */
const WRAPPERS: Record<string, { toWire: Convert; fromWire: Convert }> = {
  'laurel.common.Json': {
    toWire: (value) => ({ text: JSON.stringify(value as Json) }),
    fromWire: (wire) => JSON.parse((wire as { text: string }).text || 'null') as Json,
  },
  'laurel.common.NullableString': { toWire: wrapNullable, fromWire: unwrapValue },
  'laurel.common.NullableNumber': { toWire: wrapNullable, fromWire: unwrapValue },
  'laurel.common.NullableBool': { toWire: wrapNullable, fromWire: unwrapValue },
  'laurel.common.Strings': {
    toWire: (value) => ({ values: value }),
    fromWire: (wire) => (wire as { values: string[] }).values,
  },
};

/** The scalars that protos use: how a value becomes one, and what stands for one that was not sent. */
const SCALARS = {
  string: { from: String, initial: '' },
  bool: { from: Boolean, initial: false },
  double: { from: Number, initial: 0 },
  int32: { from: Number, initial: 0 },
  sint32: { from: Number, initial: 0 },
  uint32: { from: Number, initial: 0 },
  bytes: { from: (value: unknown) => value as Buffer, initial: Buffer.alloc(0) },
} as const;
type Scalar = keyof typeof SCALARS;

const LENGTH_DELIMITED = 2;

/** The codecs of one rpc's request and reply, made once. */
export function codecsOf(
  root: Root,
  serviceName: string,
  method: string,
): { request: MessageCodec; reply: MessageCodec } {
  const rpc = root.lookupService(serviceName).methods[method]!.resolve() as Method;
  return {
    request: rootCodec(rpc.resolvedRequestType!),
    reply: rootCodec(rpc.resolvedResponseType!),
  };
}

function rootCodec(type: Type): MessageCodec {
  const codec = codecOf(type);
  return {
    encode(value) {
      const writer = Writer.create();
      codec.write(writer, value);
      return writer.finish() as Buffer;
    },
    decode(bytes) {
      const reader = Reader.create(bytes);
      return codec.read(reader, reader.len);
    },
  };
}

const codecs = new WeakMap<Type, Codec>();

function codecOf(type: Type): Codec {
  const known = codecs.get(type);
  if (known) return known;
  // A message may hold others of its own kind: its codec is there before its fields are.
  const codec = {} as Codec;
  codecs.set(type, codec);
  const plain = messageCodec(type.fieldsArray.map((field) => fieldCodec(field.resolve())));
  const wrapper = WRAPPERS[type.fullName.slice(1)];
  return Object.assign(
    codec,
    wrapper
      ? {
          write: (writer: Writer, value: unknown) => plain.write(writer, wrapper.toWire(value)),
          read: (reader: Reader, end: number) => wrapper.fromWire(plain.read(reader, end)),
        }
      : plain,
  );
}

interface FieldCodec {
  id: number;
  name: string;
  /** Whether null is a value of its own, not another way to say nothing. */
  takesNull: boolean;
  /** What stands where nothing was sent; undefined where the field is then left out. */
  initial(): unknown;
  write(writer: Writer, value: unknown): void;
  /** `before` is what was read of the same field already. */
  read(reader: Reader, wireType: number, before: unknown): unknown;
}

/** Reads what is there into the order in which the proto declares it: answers show their members in that order. */
function messageCodec(fields: FieldCodec[]): Codec {
  const placeOf = new Map(fields.map(({ id }, place) => [id, place]));
  return {
    write(writer, value) {
      for (const field of fields) {
        const member = (value as Message)[field.name];
        if (member === undefined || (member === null && !field.takesNull)) continue;
        field.write(writer, member);
      }
    },
    read(reader, end) {
      const values = new Array<unknown>(fields.length);
      while (reader.pos < end) {
        const tag = reader.uint32();
        const place = placeOf.get(tag >>> 3);
        if (place === undefined) reader.skipType(tag & 7);
        else values[place] = fields[place]!.read(reader, tag & 7, values[place]);
      }
      const message: Message = {};
      for (let place = 0; place < fields.length; place += 1) {
        const { name, initial } = fields[place]!;
        const value = values[place] === undefined ? initial() : values[place];
        if (value !== undefined) message[name] = value;
      }
      return message;
    },
  };
}

function fieldCodec(field: Field): FieldCodec {
  if (field instanceof MapField) return mapField(field);
  if (field.repeated) return repeatedField(field);
  const { id, name, resolvedType } = field;
  if (resolvedType instanceof Type) return messageField(field, resolvedType);
  const { tag, write, read } = scalarOf(field);
  const isOptional = Boolean(field.hasPresence);
  const { initial } = SCALARS[field.type as Scalar];
  return {
    id,
    name,
    takesNull: false,
    initial: () => (isOptional ? undefined : initial),
    write(writer, value) {
      if (isOptional || value !== initial) write(writer.uint32(tag), value);
    },
    read: (reader) => read(reader),
  };
}

function messageField({ id, name }: Field, type: Type): FieldCodec {
  const { write, read } = delimited(codecOf(type));
  const tag = tagOf(id, LENGTH_DELIMITED);
  return {
    id,
    name,
    takesNull: type.fullName.slice(1) in WRAPPERS,
    initial: () => undefined,
    write: (writer, value) => write(writer.uint32(tag), value),
    read: (reader) => read(reader),
  };
}

function repeatedField(field: Field): FieldCodec {
  const { id, name, resolvedType } = field;
  const element =
    resolvedType instanceof Type
      ? { ...delimited(codecOf(resolvedType)), tag: tagOf(id, LENGTH_DELIMITED) }
      : scalarOf(field);
  const isPackable = !(resolvedType instanceof Type) && field.type in types.packed;
  const packedTag = tagOf(id, LENGTH_DELIMITED);
  return {
    id,
    name,
    takesNull: false,
    initial: () => [],
    write(writer, value) {
      const list = value as readonly unknown[];
      if (list.length === 0) return;
      if (isPackable) writer.uint32(packedTag).fork();
      for (const each of list)
        element.write(isPackable ? writer : writer.uint32(element.tag), each);
      if (isPackable) writer.ldelim();
    },
    read(reader, wireType, before) {
      const list = (before ?? []) as unknown[];
      if (!isPackable || wireType !== LENGTH_DELIMITED) list.push(element.read(reader));
      else
        for (const end = reader.uint32() + reader.pos; reader.pos < end; )
          list.push(element.read(reader));
      return list;
    },
  };
}

function mapField(field: MapField): FieldCodec {
  const { id, name } = field;
  const entries = messageCodec([
    pairField(1, 'key', field.keyType),
    pairField(2, 'value', field.type),
  ]);
  const { write, read } = delimited(entries);
  const tag = tagOf(id, LENGTH_DELIMITED);
  return {
    id,
    name,
    takesNull: false,
    initial: () => ({}),
    write(writer, map) {
      for (const [of, each] of Object.entries(map as Message))
        write(writer.uint32(tag), { key: of, value: each });
    },
    read(reader, _wireType, before) {
      const pair = read(reader) as { key: string; value: unknown };
      return { ...(before as Message | undefined), [pair.key]: pair.value };
    },
  };
}

/** Key or value of an entry of a map: written even where it is what stands for nothing. */
function pairField(id: number, name: string, type: string): FieldCodec {
  const { tag, write, read } = scalarOf({ id, type });
  return {
    id,
    name,
    takesNull: false,
    initial: () => SCALARS[type as Scalar].initial,
    write: (writer, value) => write(writer.uint32(tag), value),
    read: (reader) => read(reader),
  };
}

/** A message within another, after its length. */
function delimited({ write, read }: Codec) {
  return {
    write(writer: Writer, value: unknown) {
      write(writer.fork(), value);
      writer.ldelim();
    },
    read: (reader: Reader) => read(reader, reader.uint32() + reader.pos),
  };
}

function scalarOf({ id, type }: Pick<Field, 'id' | 'type'>) {
  if (!(type in SCALARS))
    throw new Error(`protos may not use ${type} yet: packages/rpc cannot read it`);
  const scalar = type as Scalar;
  const { from } = SCALARS[scalar];
  return {
    tag: tagOf(id, types.basic[scalar]!),
    write: (writer: Writer, value: unknown) => void writer[scalar](from(value) as never),
    read: (reader: Reader): unknown => reader[scalar](),
  };
}

const tagOf = (id: number, wireType: number): number => ((id << 3) | wireType) >>> 0;

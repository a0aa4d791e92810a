import type { Json } from '@laurel/errors';
import type { Field, Method, Root, Type } from 'protobufjs';

type Message = Record<string, unknown>;
type Convert = (value: unknown) => unknown;

interface Shape {
  toWire: Convert;
  fromWire: Convert;
}

const unwrapValue: Convert = (wire) => (wire as Message).value ?? null;
const wrapNullable: Convert = (value) => (value === null ? {} : { value });

/** The wrappers of protos/common.proto and the plain values that code sees in their place. */
const WRAPPERS: Record<string, Shape> = {
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

const shapes = new WeakMap<Type, Shape>();

/** How messages of `type` differ between code and wire; both ways return a new object. */
export function shapeOf(type: Type): Shape {
  const wrapper = WRAPPERS[type.fullName.slice(1)];
  if (wrapper) return wrapper;
  const known = shapes.get(type);
  if (known) return known;
  const fields = type.fieldsArray.filter((field) => messageTypeOf(field));
  const shape: Shape = { toWire: (value) => value, fromWire: (value) => value };
  shapes.set(type, shape);
  if (fields.length > 0) {
    shape.toWire = (value) => convertFields(value as Message, fields, 'toWire');
    shape.fromWire = (value) => convertFields(value as Message, fields, 'fromWire');
  }
  return shape;
}

/** The shapes of one rpc's request and reply. */
export function shapesOf(
  root: Root,
  serviceName: string,
  method: string,
): { request: Shape; reply: Shape } {
  const rpc = root.lookupService(serviceName).methods[method]!.resolve() as Method;
  return { request: shapeOf(rpc.resolvedRequestType!), reply: shapeOf(rpc.resolvedResponseType!) };
}

function messageTypeOf(field: Field): Type | null {
  const resolved = field.resolve().resolvedType;
  return resolved && 'fieldsArray' in resolved ? resolved : null;
}

function convertFields(message: Message, fields: Field[], direction: keyof Shape): Message {
  const converted: Message = { ...message };
  for (const field of fields) {
    const value = message[field.name];
    const isWrapper = WRAPPERS[messageTypeOf(field)!.fullName.slice(1)] !== undefined;
    if (value === undefined || (value === null && (direction === 'fromWire' || !isWrapper))) {
      delete converted[field.name];
      continue;
    }
    const convert = shapeOf(messageTypeOf(field)!)[direction];
    if (field.repeated) converted[field.name] = (value as unknown[]).map(convert);
    else if (field.map) converted[field.name] = mapValues(value as Message, convert);
    else converted[field.name] = convert(value);
  }
  return converted;
}

function mapValues(map: Message, convert: Convert): Message {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, convert(value)]));
}

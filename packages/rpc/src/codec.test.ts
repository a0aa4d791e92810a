import { readdirSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { type Field, MapField, type Method, Type, Writer } from 'protobufjs';
import { codecsOf, type MessageCodec } from './codec';
import { loadService } from './protos';

const PROTOS = path.resolve(__dirname, '../../../protos');
const DEPTH_MAX = 1;

const SCALARS: Record<string, () => fc.Arbitrary<unknown>> = {
  string: () => fc.string({ unit: 'grapheme' }),
  bool: () => fc.boolean(),
  double: () => fc.double({ noNaN: true }).map((value) => value + 0),
  int32: () => fc.integer(),
  sint32: () => fc.integer(),
  uint32: () => fc.nat(0xffff_ffff),
  bytes: () => fc.uint8Array().map((bytes) => Buffer.from(bytes)),
};
const WRAPPED: Record<string, () => fc.Arbitrary<unknown>> = {
  Json: () => fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown),
  NullableString: () => fc.option(SCALARS.string!()),
  NullableNumber: () => fc.option(SCALARS.double!()),
  NullableBool: () => fc.option(SCALARS.bool!()),
  Strings: () => fc.array(SCALARS.string!()),
};

/** Whole messages of a type, as code sees them; what nests without an end ends somewhere. */
function messages(type: Type, depth = 0): fc.Arbitrary<unknown> {
  const wrapped = type.parent?.name === 'common' ? WRAPPED[type.name] : undefined;
  if (wrapped) return wrapped();
  const members = type.fieldsArray.filter(
    (field) =>
      depth < DEPTH_MAX || field.repeated || !(field.resolve().resolvedType instanceof Type),
  );
  const mayMiss = members
    .filter((field) => !field.repeated && !field.map && (field.hasPresence || field.resolvedType))
    .map(({ name }) => name);
  return fc.record(
    Object.fromEntries(members.map((field) => [field.name, valuesOf(field, depth)])),
    { requiredKeys: members.map(({ name }) => name).filter((name) => !mayMiss.includes(name)) },
  );
}

function valuesOf(field: Field, depth: number): fc.Arbitrary<unknown> {
  const { resolvedType, type } = field.resolve();
  if (depth >= DEPTH_MAX && resolvedType instanceof Type) return fc.constant([]);
  const one = resolvedType instanceof Type ? messages(resolvedType, depth + 1) : SCALARS[type]!();
  if (field instanceof MapField) return fc.dictionary(fc.string(), one).map((map) => ({ ...map }));
  return field.repeated ? fc.array(one, { maxLength: 3 }) : one;
}

/** The codec of every message that any rpc takes or gives, by its type. */
function everyCodec(): Map<Type, MessageCodec> {
  const names = readdirSync(PROTOS).map((file) => path.basename(file, '.proto'));
  const found = new Map<Type, MessageCodec>();
  for (const name of names.filter((one) => one !== 'common')) {
    const { root, fullName } = loadService(name);
    for (const method of root.lookupService(fullName).methodsArray) {
      const { resolvedRequestType, resolvedResponseType } = method.resolve() as Method;
      const { request, reply } = codecsOf(root, fullName, method.name);
      found.set(resolvedRequestType!, request).set(resolvedResponseType!, reply);
    }
  }
  return found;
}

test('every rpc hands over whole what it was given, null as null and absent as absent', () => {
  for (const [type, codec] of everyCodec())
    for (const message of fc.sample(messages(type), { numRuns: 2, seed: 7 })) {
      const bytes = codec.encode(message);
      expect(codec.decode(bytes)).toEqual(message);
      // Another that reads and writes by the protos understands the same.
      expect(codec.decode(type.encode(type.decode(bytes)).finish())).toEqual(message);
    }
});

test('what a newer release sends besides is passed over', () => {
  const { root, fullName } = loadService('clients');
  const { reply } = codecsOf(root, fullName, 'GetClientStanding');
  const known = reply.encode({ status: 'active' });
  const unknown = Writer.create().uint32(0xfff2).string('more').finish();
  expect(reply.decode(Buffer.concat([known, unknown]))).toEqual(reply.decode(known));
});

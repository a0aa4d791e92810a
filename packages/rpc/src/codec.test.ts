import { readdirSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { type Field, MapField, type Method, Type } from 'protobufjs';
import { codecsOf } from './codec';
import { loadService } from './protos';

const PROTOS = path.resolve(__dirname, '../../../protos');
const DEPTH_MAX = 3;

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
    (field) => depth < DEPTH_MAX || !(field.resolve().resolvedType instanceof Type),
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
  const one = resolvedType instanceof Type ? messages(resolvedType, depth + 1) : SCALARS[type]!();
  if (field instanceof MapField) return fc.dictionary(fc.string(), one).map((map) => ({ ...map }));
  return field.repeated ? fc.array(one, { maxLength: 3 }) : one;
}

const rpcs = readdirSync(PROTOS)
  .map((file) => path.basename(file, '.proto'))
  .filter((name) => name !== 'common')
  .flatMap((name) => {
    const { root, fullName } = loadService(name);
    return root.lookupService(fullName).methodsArray.map((method) => ({ root, fullName, method }));
  });

test('every rpc hands over whole what it was given, null and absent told apart', () => {
  for (const { root, fullName, method } of rpcs) {
    const { request, reply } = codecsOf(root, fullName, method.name);
    const { resolvedRequestType, resolvedResponseType } = method.resolve() as Method;
    for (const [codec, type] of [
      [request, resolvedRequestType!],
      [reply, resolvedResponseType!],
    ] as const)
      fc.assert(
        fc.property(messages(type), (message) => {
          const arrived = codec.decode(codec.encode(message));
          expect(arrived).toEqual(message);
          // What any other reader of the protos sees are the same bytes.
          expect(codec.decode(type.encode(type.decode(codec.encode(message))).finish())).toEqual(
            arrived,
          );
        }),
        { numRuns: 5 },
      );
  }
});

import type Joi from 'joi';
import { alternativesSchema } from './alternatives';
import {
  type Conversion,
  type Described,
  type Direction,
  type Gathered,
  isPlainObject,
  type JsonSchema,
  type Meta,
  union,
  valuesOf,
} from './described';
import { objectSchema } from './objects';
import { numberSchema, rulesOf, stringSchema } from './scalars';

/**
 * A joi schema as JSON Schema 2020-12, which takes what joi takes (without conversion) and nothing else, as far as
 * JSON Schema can say it. `.custom()` is hidden from it: `.meta({ request, answer })` says that part.
 *
 * @param gathered takes the schemas that have a name (`.meta({ name })`); the result refers to them
 * @throws where a rule has no counterpart
 */
export function toJsonSchema(
  schema: Joi.Schema,
  direction: Direction,
  gathered: Gathered = { components: {}, conflicts: new Set() },
): JsonSchema {
  const conversion: Conversion = {
    direction,
    gathered,
    presence: 'optional',
    convert: (node, presence) =>
      convert(node, presence === undefined ? conversion : { ...conversion, presence }),
  };
  return conversion.convert(schema.describe() as Described);
}

function convert(node: Described, outer: Conversion): JsonSchema {
  const presence = node.preferences?.presence ?? outer.presence;
  const conversion: Conversion = {
    ...outer,
    presence,
    convert: (inner, given = presence) => outer.convert(inner, given),
  };
  const meta: Meta = Object.assign({}, ...(node.metas ?? []));
  const isNullable = valuesOf(node.allow).includes(null);
  if (meta.name === undefined) return anonymous(node, conversion, { meta, isNullable });
  // Null is never part of a component: each place that takes it says so itself.
  const named = anonymous(node, conversion, { meta, isNullable: false });
  const { components, conflicts } = conversion.gathered;
  const known = components[meta.name];
  if (known && JSON.stringify(known) !== JSON.stringify(named)) {
    conflicts.add(meta.name);
    return isNullable ? orNull(named) : named;
  }
  components[meta.name] = named;
  const reference = { $ref: `#/components/schemas/${meta.name}` };
  return isNullable ? { anyOf: [reference, { type: 'null' }] } : reference;
}

function anonymous(
  node: Described,
  conversion: Conversion,
  { meta, isNullable }: { meta: Meta; isNullable: boolean },
): JsonSchema {
  const own = node.flags?.only ? enumSchema(node, isNullable) : typed(node, conversion, meta.forms);
  const added = conversion.direction === 'answer' ? meta.answer : meta.request;
  const noted = annotations(node);
  const schema = { ...noted, ...own, ...added, ...sentences(noted, added) };
  return isNullable && !node.flags?.only ? orNull(schema) : schema;
}

/** What a place says of its schema, and what the schema says of itself, are both to be read. */
function sentences(...parts: readonly (JsonSchema | undefined)[]): JsonSchema {
  const said = parts.flatMap((part) => part?.description ?? []);
  return said.length === 0 ? {} : { description: said.join(' ') };
}

function annotations({ flags = {}, invalid = [] }: Described): JsonSchema {
  const { description, default: preset } = flags;
  const isSpecial = typeof preset === 'function' || (isPlainObject(preset) && 'special' in preset);
  const refused = valuesOf(invalid);
  return {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined || isSpecial ? {} : { default: preset }),
    ...(refused.length === 0 ? {} : { not: { enum: refused } }),
  };
}

function enumSchema(node: Described, isNullable: boolean): JsonSchema {
  const values = valuesOf(node.allow).filter((value) => value !== null);
  const types = [...new Set(values.map((value) => typeof value as string))];
  if (isNullable) return { type: [...types, 'null'], enum: [...values, null] };
  const type = types.length === 1 ? types[0]! : types;
  return values.length === 1 ? { type, const: values[0] } : { type, enum: values };
}

function typed(node: Described, conversion: Conversion, forms: string | undefined): JsonSchema {
  switch (node.type) {
    case 'string':
      return stringSchema(node, conversion.direction);
    case 'number':
      return numberSchema(node);
    case 'boolean':
      return { type: 'boolean' };
    case 'array':
      return arraySchema(node, conversion);
    case 'object':
      return objectSchema(node, conversion);
    case 'alternatives':
      return alternativesSchema(node, conversion, forms);
    case 'any':
      return anySchema(node, conversion);
    default:
      throw new Error(`no JSON Schema for joi's ${node.type}`);
  }
}

/** Anything at all, or any of what the conditions on it put in place. */
function anySchema({ whens = [] }: Described, conversion: Conversion): JsonSchema {
  const branches = whens.flatMap((when) => [when.then, when.otherwise]);
  return union(
    branches
      .filter((branch) => branch !== undefined && branch.flags?.presence !== 'forbidden')
      .map((branch) => conversion.convert(branch!)),
  );
}

function arraySchema(node: Described, conversion: Conversion): JsonSchema {
  const { min, max, length, unique } = rulesOf(node);
  const items = union((node.items ?? []).map((item) => conversion.convert(item)));
  const schema: JsonSchema = { type: 'array', items };
  const expected = (node.items ?? []).filter((item) => item.flags?.presence === 'required');
  if (expected.length > 1) throw new Error('an array may have one required item only');
  if (expected[0]) schema.contains = conversion.convert(expected[0]);
  if (min) schema.minItems = min.limit;
  if (max) schema.maxItems = max.limit;
  if (length) schema.minItems = schema.maxItems = length.limit;
  if (unique && unique.comparator === undefined) schema.uniqueItems = true;
  return node.flags?.single && conversion.direction !== 'query' ? union([schema, items]) : schema;
}

function orNull(schema: JsonSchema): JsonSchema {
  const { description, default: preset, ...rest } = schema;
  const said = {
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
  };
  if (typeof rest.type === 'string') return { ...schema, type: [rest.type, 'null'] };
  if (rest.anyOf && Object.keys(rest).length === 1)
    return { ...said, anyOf: [...rest.anyOf, { type: 'null' }] };
  if (Object.keys(rest).length === 0) return schema;
  return { ...said, anyOf: [rest, { type: 'null' }] };
}

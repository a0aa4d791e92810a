import { branchesOf, lifted } from './conditions';
import {
  type Conversion,
  type Described,
  has,
  type JsonSchema,
  type Peer,
  union,
} from './described';
import { patternOf, rulesOf } from './scalars';

/** An object without keys takes any; one with keys takes no others, unless it is an answer, which may grow. */
export function objectSchema(node: Described, conversion: Conversion): JsonSchema {
  const schema: JsonSchema = { type: 'object' };
  const conditions: JsonSchema[] = [];
  const required: string[] = [];
  for (const [name, member] of Object.entries(node.keys ?? {})) {
    const presence = member.flags?.presence ?? conversion.presence;
    if (presence === 'forbidden') continue;
    schema.properties ??= {};
    schema.properties[name] = memberSchema(member, conversion);
    if (presence === 'required') required.push(name);
    conditions.push(...lifted(name, member, conversion));
  }
  if (required.length > 0) schema.required = required;
  Object.assign(schema, othersOf(node, conversion));
  const { min, max } = rulesOf(node);
  if (min) schema.minProperties = min.limit;
  if (max) schema.maxProperties = max.limit;
  conditions.push(...(node.dependencies ?? []).map(dependencySchema));
  if (conditions.length > 0) schema.allOf = conditions;
  return schema;
}

/** What a switch says of a member is, for readers that overlook conditions, the union of its cases. */
function memberSchema(member: Described, conversion: Conversion): JsonSchema {
  const cases = (member.whens ?? [])
    .filter((when) => when.switch)
    .flatMap(branchesOf)
    .filter(({ type, keys, flags }) => flags?.presence !== 'forbidden' && (keys || type !== 'any'));
  if (cases.length === 0) return conversion.convert(member);
  return union(cases.map((one) => conversion.convert(one)));
}

/** What is said of members that have no key of their own. */
function othersOf(node: Described, conversion: Conversion): JsonSchema {
  const { keys, patterns = [], flags } = node;
  if (patterns.length === 0) {
    if (keys === undefined || flags?.unknown) return { additionalProperties: true };
    return conversion.direction === 'answer' ? {} : { additionalProperties: false };
  }
  const byRegex = patterns.filter(({ regex }) => regex !== undefined);
  if (byRegex.length === patterns.length)
    return {
      patternProperties: Object.fromEntries(
        byRegex.map(({ regex, rule }) => [patternOf(regex!), conversion.convert(rule)]),
      ),
      ...(conversion.direction === 'answer' ? {} : { additionalProperties: false }),
    };
  const name = patterns[0]!.schema;
  return {
    ...(keys === undefined && name ? { propertyNames: conversion.convert(name) } : {}),
    additionalProperties: union(patterns.map(({ rule }) => conversion.convert(rule))),
  };
}

const nameOf = (peer: Peer): string => (typeof peer === 'string' ? peer : peer.path.join('.'));

function dependencySchema({
  rel,
  peers,
  key,
}: NonNullable<Described['dependencies']>[number]): JsonSchema {
  const names = peers.map(nameOf);
  const each = names.map((name) => has(name));
  switch (rel) {
    case 'or':
      return { anyOf: each };
    case 'xor':
      return { oneOf: each };
    case 'oxor':
      return { anyOf: [{ oneOf: each }, { not: { anyOf: each } }] };
    case 'and':
      return { anyOf: [has(...names), { not: { anyOf: each } }] };
    case 'nand':
      return { not: has(...names) };
    case 'with':
      return { dependentRequired: { [nameOf(key!)]: names } };
    case 'without':
      return { not: { allOf: [has(nameOf(key!)), { anyOf: each }] } };
    default:
      throw new Error(`no JSON Schema for the dependency ${rel}`);
  }
}

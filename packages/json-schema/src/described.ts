/** JSON Schema 2020-12, as far as the converter makes it. */
export interface JsonSchema {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, JsonSchema | boolean>;
  required?: string[];
  items?: JsonSchema;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  description?: string;
  additionalProperties?: JsonSchema | boolean;
  [keyword: string]: unknown;
}

/** A condition on a sibling: `when` on a member, or a case of `alternatives().conditional`. */
export interface When {
  ref?: { path?: string[]; ancestor?: number | 'root' };
  schema?: Described;
  is?: Described;
  not?: Described;
  then?: Described;
  otherwise?: Described;
  switch?: When[];
}

/** The name of a member in a dependency, or a reference to it. */
export type Peer = string | { path: string[] };

/** What `schema.describe()` tells, as far as the converter reads it. */
export interface Described {
  type: string;
  flags?: {
    only?: boolean;
    presence?: 'required' | 'optional' | 'forbidden';
    unknown?: boolean;
    single?: boolean;
    match?: 'any' | 'one' | 'all';
    default?: unknown;
    description?: string;
  };
  preferences?: { presence?: 'required' | 'optional' | 'forbidden' };
  metas?: Meta[];
  allow?: unknown[];
  invalid?: unknown[];
  rules?: { name: string; args?: Record<string, unknown> }[];
  keys?: Record<string, Described>;
  patterns?: { regex?: string; schema?: Described; rule: Described }[];
  dependencies?: { rel: string; peers: Peer[]; key?: Peer }[];
  items?: Described[];
  whens?: When[];
  matches?: When[];
}

/** What a schema may say of its document by `.meta()`. */
export interface Meta {
  /** The schema is a component of this name, and referred to wherever it stands. */
  name?: string;
  /** Each form of alternatives that differ by a member is a component: this name, then the member's value. */
  forms?: string;
  /** Added to what is made of the rules: what `.custom()` hides. */
  request?: JsonSchema;
  answer?: JsonSchema;
}

/** Which way the described value goes: answers may grow by members, requests may not; queries are text. */
export type Direction = 'request' | 'query' | 'answer';

/** What conversions into one document gather. */
export interface Gathered {
  /** The schemas that have a name. */
  components: Record<string, JsonSchema>;
  /** Names that two shapes bear: the second is written out where it stands. */
  conflicts: Set<string>;
}

/** Carries through one conversion. */
export interface Conversion {
  direction: Direction;
  gathered: Gathered;
  /** What holds for members that say nothing of their own (joi's preference). */
  presence: 'required' | 'optional' | 'forbidden';
  convert(node: Described, presence?: Conversion['presence']): JsonSchema;
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The values that a schema names, without joi's note that they replace those before. */
export function valuesOf(values: readonly unknown[] = []): unknown[] {
  return values.filter((value) => !isPlainObject(value));
}

/** What any of the schemas takes, each said once. */
export function union(schemas: readonly JsonSchema[]): JsonSchema {
  const distinct = [...new Map(schemas.map((one) => [JSON.stringify(one), one])).values()];
  if (distinct.length === 0) return {};
  return distinct.length === 1 ? distinct[0]! : { anyOf: distinct };
}

/** Takes objects that have all of these members. */
export function has(...names: string[]): JsonSchema {
  return { properties: Object.fromEntries(names.map((name) => [name, true])), required: names };
}

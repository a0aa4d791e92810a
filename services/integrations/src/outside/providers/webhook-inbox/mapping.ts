import {
  type Compiled,
  checkExpression,
  compileExpression,
  createBoundedEnvironment,
  type Effort,
  type Environment,
  newEffort,
  type ValueType,
} from '@laurel/cel';
import type { Json, JsonObject, Problem } from '@laurel/errors';
import { momentNamed } from '@laurel/values/calendar';
import { FINDERS, READ_CATEGORIES, type ReadEvent, Unreadable } from '../../../domain/read-event';
import type { Arrival } from '../provider';

/** Which kinds of value each expression may give. */
const KEYS = {
  event_category: ['string'],
  event_type: ['string'],
  client_id: ['string'],
  email: ['string'],
  phone: ['string', 'number'],
  barcode_value: ['string', 'number'],
  amount: ['number'],
  currency: ['string'],
  external_id: ['string', 'number'],
  original_external_id: ['string', 'number'],
  event_timestamp: ['string', 'timestamp', 'number'],
  metadata: ['object'],
} as const satisfies Record<string, readonly ValueType[]>;

export type MappingKey = keyof typeof KEYS;
export const MAPPING_KEYS = Object.keys(KEYS) as MappingKey[];
/** The ways to find a client that a mapping may name; one is enough. */
export const MAPPED_FINDERS = FINDERS.filter((finder) => finder !== 'external_id');

export type Mapping = Partial<Record<MappingKey, string>>;

const COMPILED_MAX = 2_000;
/** Moments given as numbers are seconds up to here, milliseconds above. */
const SECONDS_MAX = 1e11;

const environment: Environment = createBoundedEnvironment({ mixedLiterals: true })
  .registerVariable('body', 'dyn')
  .registerVariable('headers', 'map<string, string>');
const compiled = new Map<string, Compiled>();

/** What is wrong with the expressions of a mapping, each under its key. */
export function complaintsAboutMapping(mapping: Mapping): Problem[] {
  return Object.entries(mapping).flatMap(([key, expression]) => {
    const message = complaintAbout(key as MappingKey, expression);
    return message === null ? [] : [{ field: key, message: `${key}: ${message}` }];
  });
}

function complaintAbout(key: MappingKey, expression: string): string | null {
  const verdict = checkExpression(environment, expression, 'expression');
  if (!verdict.valid) {
    const { message, position } = verdict.error;
    return `${message} (at character ${position})`;
  }
  const { returnType } = verdict;
  const wanted: readonly ValueType[] = KEYS[key];
  if (returnType !== 'any' && !wanted.includes(returnType))
    return `the expression gives ${returnType}, not ${wanted.join(' or ')}`;
  const constant = environment.parse(expression).ast;
  if (
    key === 'event_category' &&
    constant.op === 'value' &&
    !READ_CATEGORIES.includes(String(constant.args))
  )
    return `must be one of ${READ_CATEGORIES.join(', ')}`;
  return null;
}

/** The event that a mapping makes of what arrived. Throws Unreadable. */
export function applyMapping(mapping: Mapping, { body, headers }: Arrival): ReadEvent {
  const effort = newEffort();
  const value = (key: MappingKey): unknown =>
    evaluate(key, mapping[key], { variables: { body, headers }, effort });
  const optional = <T>(key: MappingKey, read: (found: unknown, key: MappingKey) => T) => {
    const found = value(key);
    return found === null ? {} : { [camelCase(key)]: read(found, key) };
  };
  return {
    eventCategory: requiredText('event_category', value('event_category')),
    eventType: requiredText('event_type', value('event_type')),
    client: MAPPED_FINDERS.flatMap((by) => {
      const found = value(by);
      return found === null ? [] : [{ by, value: text(found, by) }];
    }),
    ...optional('event_timestamp', moment),
    ...optional('amount', number),
    ...optional('currency', text),
    ...optional('external_id', text),
    ...optional('original_external_id', text),
    ...optional('metadata', object),
  };
}

/** What is not there is null: senders leave out what they do not know. */
function evaluate(
  key: MappingKey,
  expression: string | undefined,
  { variables, effort }: { variables: object; effort: Effort },
): unknown {
  if (expression === undefined) return null;
  try {
    const value = compile(expression).run(variables, effort);
    return typeof value === 'bigint' ? Number(value) : (value ?? null);
  } catch (error) {
    const { summary, message } = error as Error & { summary?: string };
    throw new Unreadable(`${key}: ${summary ?? message}`);
  }
}

function compile(expression: string): Compiled {
  const known = compiled.get(expression);
  if (known) return known;
  if (compiled.size >= COMPILED_MAX) compiled.delete(compiled.keys().next().value!);
  const made = compileExpression(environment, expression);
  compiled.set(expression, made);
  return made;
}

const camelCase = (key: string): string =>
  key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

function requiredText(key: MappingKey, value: unknown): string {
  if (value === null) throw new Unreadable(`${key} is missing`);
  return text(value, key);
}

function text(value: unknown, key: MappingKey): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number') return String(value);
  throw new Unreadable(`${key} must be a text`);
}

/** Many systems send amounts as text. */
function number(value: unknown, key: MappingKey): number {
  const read = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof read === 'number' && Number.isFinite(read)) return read;
  throw new Unreadable(`${key} must be a number`);
}

function moment(value: unknown, key: MappingKey): string {
  const read =
    typeof value === 'number' ? new Date(value > SECONDS_MAX ? value : value * 1_000) : value;
  const at = read instanceof Date ? read : momentNamed(text(read, key));
  if (Number.isNaN(at.getTime())) throw new Unreadable(`${key} must be a moment`);
  return at.toISOString();
}

function object(value: unknown, key: MappingKey): JsonObject {
  const json = toJson(value);
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json;
  throw new Unreadable(`${key} must be an object`);
}

function toJson(value: unknown): Json {
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toJson);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toJson(member)]));
}

import type { JsonSchema } from '@laurel/json-schema';

type Schemas = Readonly<Record<string, JsonSchema>>;

const ID = '0198f3a0-0000-7000-8000-000000000001';

/** What a member is shown as, by its name, where its schema alone would make something odd. */
const BY_NAME: readonly [RegExp, unknown][] = [
  [/^external_id$|^source_id$/, 'order-7'],
  [/email/, 'ann@example.com'],
  [/phone/, '+353861234567'],
  [/^first_name$/, 'Ann'],
  [/^last_name$/, 'Byrne'],
  [/_url$|^url$/, 'https://shop.example.com/hooks/laurel'],
  [/currency/, 'EUR'],
  [/locale/, 'en-IE'],
  [/timezone/, 'Europe/Dublin'],
  [/colou?r/, '#3E2723'],
  [/cron/, '0 8 * * *'],
  [/^(expression|condition)$/, 'event.amount > 10'],
  [/expression|formula/, 'floor(event.amount)'],
  [/wallet_type_code|^code$/, 'points'],
  [/^reason$|^description$/, 'Late delivery'],
  [/^(name|title)$/, 'Coffee'],
  [/slug/, 'coffee-corner'],
  [/password/, 'correct horse battery staple'],
  [/^(amount|purchase_amount|min_amount)$/, 12.5],
  [/cost_in_points/, 50],
];
/** For texts of a pattern; the first that fits is taken. */
const FITTING = [
  '2026-01-31T10:00:00.000Z',
  '2026-01-31',
  'EUR',
  'points',
  'coffee-corner',
  '#3E2723',
  '123456',
  'ABCDEFGHIJ',
  'pass.com.example.card',
  'a'.repeat(64),
];

/**
 * The plainest value that a schema takes: what is required and nothing else, so that nobody who sends it unread gets
 * more than they saw. Bounds are never taken for values.
 */
export function exampleOf(schema: JsonSchema, components: Schemas, name = ''): unknown {
  if (schema.$ref) return exampleOf(components[schema.$ref.split('/').at(-1)!]!, components, name);
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const form = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (form) return exampleOf(form, components, name);
  switch ([schema.type].flat()[0]) {
    case 'object':
      return objectOf(schema, components);
    case 'array':
      return (schema.minItems ?? 1) === 0
        ? []
        : [exampleOf(schema.items ?? {}, components, name.replace(/s$/, ''))];
    case 'integer':
    case 'number':
      return numberOf(schema, name);
    case 'boolean':
      return true;
    default:
      return textOf(schema, name);
  }
}

function objectOf({ properties = {}, required = [], allOf = [] }: JsonSchema, components: Schemas) {
  const either = allOf.flatMap(({ anyOf, oneOf }) => (anyOf ?? oneOf)?.[0]?.required ?? []);
  const names = [...new Set([...required, ...either])];
  return Object.fromEntries(
    names.map((name) => [name, exampleOf(properties[name] as JsonSchema, components, name)]),
  );
}

function numberOf({ minimum, exclusiveMinimum, maximum }: JsonSchema, name: string): number {
  const known = BY_NAME.find(([is, value]) => typeof value === 'number' && is.test(name))?.[1];
  const wanted = Math.max(Number(known ?? 1), Number(minimum ?? exclusiveMinimum ?? 1));
  return Math.min(wanted, Number(maximum ?? wanted));
}

function textOf({ format, pattern, minLength = 0, maxLength = 10_000 }: JsonSchema, name: string) {
  if (format === 'uuid') return ID;
  if (format === 'date') return '2026-01-31';
  const fits = (text: string) => pattern === undefined || new RegExp(String(pattern)).test(text);
  const known = BY_NAME.find(([is, value]) => typeof value === 'string' && is.test(name))?.[1];
  if (known !== undefined && fits(String(known)) && String(known).length <= Number(maxLength))
    return known;
  if (format === 'email') return 'ann@example.com';
  if (format === 'uri') return 'https://shop.example.com/';
  const text = FITTING.filter(fits)[pattern === undefined ? FITTING.length : 0] ?? 'text';
  return text.padEnd(Number(minLength), 'x').slice(0, Number(maxLength));
}

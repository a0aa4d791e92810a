// Makes the smallest value that a schema of the OpenAPI document takes.

/** @typedef {import('./operations.mjs').Schema} Schema */

/**
 * What a text is by the name of its field, where the schema does not say so: an address stays one through every check.
 *
 * @type {readonly [RegExp, (serial: number) => unknown][]}
 */
const BY_NAME = [
  [/email/, (serial) => `probe-${serial}@example.com`],
  [/^(url|sourceUrl|base_url)$|_url$/, () => 'https://example.com/'],
  [/(_date|_at|_timestamp|^start|^end|^date_from|^date_to)$/, () => '2026-01-31T10:00:00Z'],
  [/colou?r/, () => '#1A2B3C'],
  [/currency/, () => 'EUR'],
  [/locale/, () => 'en'],
  [/timezone/, () => 'Europe/Berlin'],
  [/expression/, () => '1.0'],
  [/cron/, () => '0 5 * * *'],
];

let serial = 0;

/**
 * @param {Schema | undefined} schema
 * @param {string} [name] of the field
 * @param {(name: string) => unknown} [idOf] the id of a row for a field that names one
 * @returns {any}
 */
export function exampleOf(schema, name = '', idOf = () => undefined) {
  if (!schema || Object.keys(schema).length === 0) return 'x';
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum.find((/** @type {unknown} */ one) => one !== null) ?? null;
  if (schema.default !== undefined) return schema.default;
  if (schema.properties) return objectOf(schema, idOf);
  const branch = schema.anyOf?.[0] ?? schema.oneOf?.[0] ?? schema.allOf?.[0];
  if (branch) return exampleOf(branch, name, idOf);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object') return objectOf(schema, idOf);
  if (type === 'array') return listOf(schema, name, idOf);
  if (type === 'integer' || type === 'number') return numberOf(schema);
  if (type === 'boolean') return true;
  if (type === 'null') return null;
  return textOf(schema, name, idOf);
}

/** @param {Schema} schema @param {(name: string) => unknown} idOf */
function objectOf({ properties = {}, required = [], anyOf: forms, allOf = [] }, idOf) {
  // Of members of which one must be there, the first.
  const either = [{ anyOf: forms }, ...allOf].flatMap(
    (/** @type {Schema} */ { anyOf, oneOf }) => (anyOf ?? oneOf)?.[0]?.required ?? [],
  );
  const needed = [...required, ...either];
  return Object.fromEntries(
    needed.map((/** @type {string} */ key) => [key, exampleOf(properties[key], key, idOf)]),
  );
}

/** @param {Schema} schema @param {string} name @param {(name: string) => unknown} idOf */
function listOf({ items, minItems = 0 }, name, idOf) {
  const single = name.replace(/s$/, '');
  return Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items, single, idOf));
}

/** @param {Schema} schema */
function numberOf({ minimum, exclusiveMinimum, maximum }) {
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  const wanted = Math.max(1, least);
  return maximum === undefined ? wanted : Math.min(wanted, maximum);
}

/** @param {Schema} schema @param {string} name @param {(name: string) => unknown} idOf */
function textOf({ format, pattern, minLength = 1, maxLength }, name, idOf) {
  serial += 1;
  if (format === 'uuid') return idOf(name) ?? '00000000-0000-7000-8000-000000000000';
  if (format === 'email') return `probe-${serial}@example.com`;
  if (format === 'uri') return 'https://example.com/';
  const named = BY_NAME.find(([is]) => is.test(name));
  if (named) return named[1](serial);
  if (pattern && !new RegExp(pattern).test('x')) return fitting(pattern);
  const text = `probe ${serial}`.padEnd(minLength, 'x');
  return maxLength === undefined ? text : text.slice(0, maxLength);
}

/** One of a few usual texts that the pattern takes. @param {string} pattern */
function fitting(pattern) {
  const candidates = [`probe_${serial}`, '12', 'EUR', '#1A2B3C', 'a'.repeat(64), 'ABCDEFGHIJ'];
  return candidates.find((candidate) => new RegExp(pattern).test(candidate)) ?? 'x';
}

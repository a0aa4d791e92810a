// A schema of the API document in words: the rows of its table.

/**
 * @typedef {Record<string, any>} Schema
 * @typedef {{ name: string, type: string, meaning: string }} Row
 */

const DEPTH_MAX = 3;

/** @param {string} reference e.g. `#/components/schemas/Client` */
export const nameIn = (reference) => reference.slice(reference.lastIndexOf('/') + 1);

/** What a media type of the API document is shown as. @param {{ examples?: object } | undefined} media */
export const exampleIn = (media) => Object.values(media?.examples ?? {})[0]?.value;

/** @param {unknown} text */
export const cell = (text) => String(text).replaceAll('|', '\\|').replaceAll('\n', ' ');

/** @param {(name: string) => string | undefined} addressOf where a named schema is described */
export function createSchemaWords(addressOf) {
  /** @param {Schema} schema @returns {string} */
  const typeOf = (schema) => {
    if (schema.$ref) {
      const name = nameIn(schema.$ref);
      const address = addressOf(name);
      return address ? `[${name}](${address})` : name;
    }
    const forms = schema.oneOf ?? schema.anyOf;
    if (forms) return [...new Set(forms.map(typeOf))].join(' or ');
    if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
    if (schema.enum) return schema.enum.map((value) => `\`${value ?? 'null'}\``).join(', ');
    if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
    const types = [schema.type ?? 'any'].flat().join(' or ');
    return schema.format ? `${types} (${schema.format})` : types;
  };

  /** @param {Schema} schema */
  const meaningOf = (schema) => {
    const limits = [
      ['minimum', 'at least'],
      ['exclusiveMinimum', 'more than'],
      ['maximum', 'at most'],
      ['minLength', 'characters at least'],
      ['maxLength', 'characters at most'],
      ['minItems', 'entries at least'],
      ['maxItems', 'entries at most'],
      ['default', 'by default'],
    ].flatMap(([key, words]) =>
      schema[key] === undefined ? [] : [`${words} \`${JSON.stringify(schema[key])}\``],
    );
    return [schema.description, limits.join(', ')].filter(Boolean).join(' · ');
  };

  /** @param {Schema} schema @param {string} [prefix] @param {number} [depth] @returns {Row[]} */
  const rowsOf = (schema, prefix = '', depth = 0) =>
    Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
      const name = `${prefix}${key}`;
      const isNeeded = schema.required?.includes(key);
      const row = {
        name: `\`${name}\`${isNeeded ? ' *' : ''}`,
        type: cell(typeOf(value)),
        meaning: cell(meaningOf(value)),
      };
      const inner = value.type === 'array' ? value.items : value;
      if (!inner?.properties || depth === DEPTH_MAX) return [row];
      return [row, ...rowsOf(inner, `${name}${inner === value ? '.' : '[].'}`, depth + 1)];
    });

  /** @param {Schema} schema */
  const tableOf = (schema) => {
    const rows = rowsOf(schema);
    if (rows.length === 0) return `${typeOf(schema)}\n`;
    const lines = rows.map(({ name, type, meaning }) => `| ${name} | ${type} | ${meaning} |`);
    return ['| field | type | notes |', '|---|---|---|', ...lines, ''].join('\n');
  };

  return { typeOf, meaningOf, tableOf };
}

/**
 * The names of all schemas that one speaks of, itself not.
 *
 * @param {unknown} schema
 * @returns {string[]}
 */
export function namesIn(schema) {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === '$ref' && typeof value === 'string' ? [nameIn(value)] : namesIn(value),
  );
}

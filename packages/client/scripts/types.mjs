// TypeScript types of the schemas of an API document, as the gateway's converter writes them.

/** @typedef {any} Schema */

/**
 * A comment above a declaration, or nothing.
 *
 * @param {string | undefined} text
 * @param {string} indent
 */
export function commentOf(text, indent) {
  if (!text) return '';
  const lines = text.replaceAll('*/', '*\\/').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`;
}

/**
 * What TypeScript can say of a schema; conditions between members are left to the platform.
 *
 * @param {Schema} schema
 * @param {string} [indent]
 * @returns {string}
 */
export function typeOf(schema, indent = '') {
  if (schema === true || !schema || Object.keys(schema).length === 0) return 'unknown';
  if (schema.$ref) return `types.${schema.$ref.split('/').at(-1)}`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum)
    return unionOf(schema.enum.map((/** @type {unknown} */ one) => JSON.stringify(one)));
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return unionOf(forms.map((/** @type {Schema} */ form) => typeOf(form, indent)));
  const kinds = [schema.type].flat();
  return unionOf(kinds.map((kind) => plainTypeOf(kind, schema, indent)));
}

/** @param {string[]} types */
const unionOf = (types) => [...new Set(types)].join(' | ');

/** @param {string | undefined} kind @param {Schema} schema @param {string} indent */
function plainTypeOf(kind, schema, indent) {
  switch (kind) {
    case 'string':
    case 'boolean':
    case 'null':
      return kind;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return arrayOf(typeOf(schema.items, indent));
    case 'object':
      return objectOf(schema, indent);
    default:
      return 'unknown';
  }
}

/** @param {string} item */
const arrayOf = (item) => (/^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`);

/** @param {Schema} schema @param {string} indent */
function objectOf({ properties, required = [], additionalProperties, patternProperties }, indent) {
  const others = Object.values(patternProperties ?? {})[0] ?? additionalProperties;
  const any = others ? typeOf(others, indent) : undefined;
  if (!properties) return `Record<string, ${any ?? 'never'}>`;
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(([name, member]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    const mark = required.includes(name) ? '' : '?';
    return `${commentOf(member.description, inner)}${inner}${key}${mark}: ${typeOf(member, inner)};`;
  });
  if (any) members.push(`${inner}[other: string]: ${any === 'unknown' ? any : 'unknown'};`);
  return `{\n${members.join('\n')}\n${indent}}`;
}

/**
 * Every component as a type, and what webhooks bring as one union.
 *
 * @param {any} document
 * @returns {{ text: string }}
 */
export function typesOf(document) {
  const components = Object.entries(document.components.schemas).map(([name, schema]) => {
    const body = typeOf(schema);
    const isObject = body.startsWith('{');
    const declaration = isObject ? `interface ${name} ${body}` : `type ${name} = ${body};`;
    return `${commentOf(/** @type {any} */ (schema).description, '')}export ${declaration}\n`;
  });
  const events = Object.values(document.webhooks).map((/** @type {any} */ { post }) =>
    eventOf(post.requestBody.content['application/json']),
  );
  const event = `/** What a webhook brings; \`type\` tells which. */\nexport type LaurelEvent =\n  | ${events.join('\n  | ')};\n\n/** The types of events that there are; those of custom events begin with \`custom.\` */\nexport type LaurelEventType = LaurelEvent['type'];\n`;
  return {
    text: [...components, event, reasonOf(document)].join('\n').replaceAll(/\btypes\.(?=\w)/g, ''),
  };
}

/** The reasons that are known; more may come. @param {any} document */
function reasonOf({ components: { schemas } }) {
  const { extensions } = schemas.Error.properties.errors.items.properties;
  const known = extensions.properties.reason['x-extensible-enum'];
  const words = known.map((/** @type {string} */ word) => `'${word}'`).join(' | ');
  return `/** The case of a refusal, as one word; more may come. */\nexport type LaurelReason = ${words} | (string & {});\n`;
}

/** @param {{ schema: Schema, example: { type: string } }} payload */
function eventOf({ schema, example }) {
  const { type, data } = schema.properties;
  // A pattern is the beginning of names that anybody may give.
  const name = type.pattern ? `\`${example.type.split('.')[0]}.\${string}\`` : typeOf(type);
  return `{ type: ${name}; timestamp: string; workspace_id: string; data: ${typeOf(data)} }`;
}

// The pages of the API reference: one for each tag of the API document, as Markdown.
import { clientAddress, referenceName } from './addresses.mjs';
import { reasonsOf, reasonsText } from './reasons.mjs';
import { cell, createSchemaWords, exampleIn, nameIn, namesIn } from './schema.mjs';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const WORKSPACE = '/service-api/workspace/{workspaceId}';
const DOORS = {
  bearer: '`Authorization: Bearer`, an API token or the session of a user',
  portal: '`x-client-token`, the session of a client in the portal',
  mobile: '`X-Mobile-Token`, the session of the till or the staff app',
  page: 'pages of the platform itself, by cookie',
};

/** @typedef {{ id: string, tag: string, method: string, path: string, operation: Record<string, any> }} Operation */

/** @param {Record<string, any>} document @returns {Operation[]} */
function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => methods[method]).map((method) => {
      const operation = methods[method];
      return { id: operation.operationId, tag: operation.tags[0], method, path, operation };
    }),
  );
}

/** Where each type is described: on the page of the tag that speaks of it most. @param {Record<string, any>} document @param {Operation[]} operations */
function homesOfTypes({ components: { schemas } }, operations) {
  /** @type {Map<string, Map<string, number>>} */
  const counts = new Map();
  /** @param {string} name @param {string} tag @param {Set<string>} seen */
  const count = (name, tag, seen) => {
    if (seen.has(name) || !schemas[name]) return;
    seen.add(name);
    const ofName = counts.get(name) ?? new Map();
    counts.set(name, ofName.set(tag, (ofName.get(tag) ?? 0) + 1));
    for (const inner of namesIn(schemas[name])) count(inner, tag, seen);
  };
  for (const { tag, operation } of operations) {
    const seen = new Set();
    for (const name of namesIn({ ...operation, requestBody: null })) count(name, tag, seen);
    const body = bodyOf(operation);
    for (const name of namesIn(body?.$ref ? schemas[nameIn(body.$ref)] : body))
      count(name, tag, seen);
  }
  return new Map(
    [...counts].map(([name, ofName]) => {
      const [[tag]] = [...ofName].sort((one, other) => other[1] - one[1]);
      return [name, tag];
    }),
  );
}

/** @param {Record<string, any>} operation */
const bodyOf = ({ requestBody }) =>
  /** @type {Record<string, any> | undefined} */ (Object.values(requestBody?.content ?? {})[0])
    ?.schema;

/**
 * The pages, and where on them each type is described.
 *
 * @param {Record<string, any>} document
 */
export function createReference(document) {
  const operations = operationsOf(document);
  const homes = homesOfTypes(document, operations);
  const addressOf = (/** @type {string} */ name) => {
    const tag = homes.get(name);
    return tag && `/docs/${referenceName(tag)}#${name}`;
  };
  const pages = pagesOf(document, { operations, homes, words: createSchemaWords(addressOf) });
  return { pages, addressOf };
}

/**
 * @param {Record<string, any>} document
 * @param {{ operations: Operation[], homes: Map<string, string>, words: ReturnType<typeof createSchemaWords> }} known
 * @returns {import('./site.mjs').Page[]}
 */
function pagesOf(document, { operations, homes, words }) {
  return document.tags
    .map(({ name, description }) => {
      const own = operations.filter(({ tag }) => tag === name);
      const types = [...homes].filter(([, tag]) => tag === name).map(([type]) => type);
      return { name, description, own, types: types.sort() };
    })
    .filter(({ own }) => own.length > 0)
    .map(({ name, description, own, types }) => ({
      name: referenceName(name),
      title: name,
      source: [
        `# ${name}\n`,
        `${description}\n`,
        ...own.map(({ id, operation }) => `- [${operation.summary}](#${id})`),
        '',
        ...own.map((operation) => operationText(operation, document, words)),
        types.length > 0 ? '## Types\n' : '',
        ...types.map((type) => typeText(type, document.components.schemas[type], words)),
      ].join('\n'),
    }));
}

/** @param {string} name @param {Record<string, any>} schema @param {ReturnType<typeof createSchemaWords>} words */
const typeText = (name, schema, words) =>
  `### ${name} {#${name}}\n\n${schema.description ? `${schema.description}\n\n` : ''}${words.tableOf(schema)}`;

/** @param {Operation} described @param {Record<string, any>} document @param {ReturnType<typeof createSchemaWords>} words */
function operationText({ id, method, path, operation }, document, words) {
  const { schemas, parameters: shared } = document.components;
  const parameters = (operation.parameters ?? [])
    .map((parameter) => (parameter.$ref ? shared[nameIn(parameter.$ref)] : parameter))
    .filter(({ name }) => name !== 'workspaceId');
  const body = bodyOf(operation);
  const reasons = reasonsOf(operation);
  const parts = [
    `## ${operation.summary} {#${id}}`,
    `\`${method.toUpperCase()} ${path.replace(WORKSPACE, ':ws')}\`${inClient({ id, operation })}`,
    operation.description,
    doorText(operation.security),
    parameters.length > 0 ? parameterTable(parameters, words) : '',
    body ? `**Body**\n\n${words.tableOf(body.$ref ? schemas[nameIn(body.$ref)] : body)}` : '',
    exampleText(operation.requestBody?.content),
    `**Answer** ${answerText(operation, words)}`,
    exampleText(goodOf(operation.responses)[0]?.[1].content),
    reasons.length > 0 ? `**Reasons** ${reasonsText(reasons)}` : '',
  ];
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

/** How the client for programs calls it, where it does. @param {Pick<Operation, 'id' | 'operation'>} described */
const inClient = ({ id, operation }) =>
  operation['x-internal'] ? '' : `  \n[\`laurel.${id}\`](${clientAddress(id)})`;

/** @param {Record<string, string[]>[] | undefined} security */
function doorText(security) {
  const doors = (security ?? []).flatMap(Object.keys);
  if (doors.length === 0) return 'Open to everybody.';
  const words = `With ${doors.map((door) => DOORS[door] ?? `\`${door}\``).join(', or ')}.`;
  return `${words}${scopeText((security ?? []).flatMap(({ bearer = [] }) => bearer))}`;
}

/** What a named token needs. @param {readonly string[]} scopes */
function scopeText([scope]) {
  if (scope === undefined) return '';
  return scope === 'account'
    ? ' No named token opens it.'
    : ` A named token needs the scope \`${scope}\`.`;
}

/** @param {Record<string, any>[]} parameters @param {ReturnType<typeof createSchemaWords>} words */
function parameterTable(parameters, words) {
  const rows = parameters.map(({ name, in: place, required, schema, description }) => {
    const meaning = [description, words.meaningOf({ ...schema, description: '' })];
    return `| \`${name}\`${required ? ' *' : ''} | ${place} | ${cell(words.typeOf(schema))} | ${cell(meaning.filter(Boolean).join(' · '))} |`;
  });
  return ['| parameter | in | type | notes |', '|---|---|---|---|', ...rows].join('\n');
}

/** @param {Record<string, any> | undefined} content by media type */
function exampleText(content) {
  const example = exampleIn(content?.['application/json']);
  return example === undefined ? '' : `\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
}

/** @param {Record<string, any>} responses @returns {[status: string, response: Record<string, any>][]} */
const goodOf = (responses) => Object.entries(responses).filter(([status]) => /^[23]/.test(status));

/** @param {Record<string, any>} operation @param {ReturnType<typeof createSchemaWords>} words */
function answerText({ responses }, words) {
  return goodOf(responses)
    .map(([status, response]) => {
      const [type, content] = Object.entries(response.content ?? {})[0] ?? [];
      const data = content?.schema?.properties?.data;
      if (!type) return status;
      return `${status}: ${data ? words.typeOf(data) : `\`${type}\``}`;
    })
    .join(', ');
}

// Writes src/generated from the API document of the built gateway: the table of operations, their types, and an
// interface for each group.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { commentOf, typeOf, typesOf } from './types.mjs';

const load = createRequire(import.meta.url);
const WORKSPACE = '/service-api/workspace/{workspaceId}';

/** @typedef {import('./types.mjs').Schema} Schema */
/**
 * @typedef {object} Operation
 * @property {string} group
 * @property {string} verb
 * @property {string} method
 * @property {string} path
 * @property {any} said in the document
 * @property {any[]} query its parameters
 * @property {any} body of the request, by media type
 * @property {Schema | undefined} answer undefined where it is no JSON
 * @property {boolean} isList
 * @property {boolean} isFile
 * @property {boolean} isStream events without an end
 */

/** @param {any} document @returns {Operation[]} what the client calls, in the order of its names */
export function operationsOf(document) {
  return Object.entries(document.paths)
    .flatMap(([place, operations]) =>
      Object.entries(operations).map(([method, said]) => operationOf(place, method, said)),
    )
    .filter(({ said }) => !said['x-internal'])
    .sort((one, other) => (one.said.operationId < other.said.operationId ? -1 : 1));
}

/** @param {string} place @param {string} method @param {any} said @returns {Operation} */
function operationOf(place, method, said) {
  const [group = '', verb = ''] = said.operationId.split('.');
  const success = Object.entries(said.responses).find(([status]) => status.startsWith('2'));
  const content = /** @type {any} */ (success?.[1])?.content ?? {};
  /** @type {Schema | undefined} */
  const answer = content['application/json']?.schema;
  const isStream = content['text/event-stream'] !== undefined;
  const isFile = Object.keys(content).length > 0 && !answer && !isStream;
  const data = answer?.properties?.data;
  const isList = data?.type === 'array' && said['x-pagination'] !== undefined;
  const query = said.parameters.filter((/** @type {any} */ one) => one.in === 'query');
  const body = said.requestBody?.content;
  return {
    group,
    verb,
    method: method.toUpperCase(),
    path: place,
    said,
    query,
    body,
    answer,
    isList,
    isFile,
    isStream,
  };
}

/** The letters of `Operation` in src/http.ts. @param {Operation} operation */
export function flagsOf({ said, method, query, body, answer, isList, isFile, isStream }) {
  const door = Object.keys(said.security[0] ?? {})[0];
  const isKeyed = said.parameters.some((/** @type {any} */ one) =>
    one.$ref?.endsWith('/IdempotencyKey'),
  );
  const isJson = body?.['application/json'] !== undefined;
  /** @type {[string, unknown][]} */
  const flags = [
    ['k', isKeyed],
    ['i', isJson],
    ['q', query.length > 0],
    ['r', body && !isJson],
    ['l', isList],
    ['c', isList && said['x-pagination'] === 'cursor'],
    ['o', isList && said['x-pagination'] === 'offset'],
    ['b', answer && !answer.properties?.data],
    ['d', method === 'DELETE' && (!answer || answer.$ref?.endsWith('/Message'))],
    ['s', isFile],
    ['e', isStream],
    ['p', door === 'portal'],
    ['m', door === 'mobile'],
  ];
  return flags
    .filter(([, holds]) => holds)
    .map(([letter]) => letter)
    .join('');
}

/** @param {string} word */
const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);

/** @param {Operation} operation */
const nameOf = ({ group, verb }) => `${capital(group)}${capital(verb)}`;

/** @param {Operation} operation */
function argumentsOf(operation) {
  const { path: place, query, body } = operation;
  const ids = [...place.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const json = body?.['application/json'];
  const isNeeded = operation.said.requestBody?.required ? '' : '?';
  const isQueryNeeded = query.some(({ required }) => required) ? '' : '?';
  return [
    ...ids.filter((id) => id !== 'workspaceId').map((id) => `${id}: string`),
    ...(json ? [`body${isNeeded}: ${typeOf(json.schema)}`] : []),
    ...(body && !json ? ['body: FormData | Blob | string'] : []),
    ...(query.length > 0 ? [`query${isQueryNeeded}: types.${nameOf(operation)}Query`] : []),
    'options?: CallOptions',
  ].join(', ');
}

/** @param {Operation} operation */
function returnOf({ answer, isList, isFile, isStream }) {
  if (isStream) return 'AsyncGenerator<StreamedEvent, void, undefined>';
  if (isFile) return 'Call<Response>';
  if (!answer) return 'Call<void>';
  const data = answer.properties?.data;
  if (isList) return `PageCall<${typeOf(data.items)}>`;
  return `Call<${typeOf(data ?? answer)}>`;
}

/** How it is called and what it gives, as its interface says it. @param {Operation} operation */
export const signatureOf = (operation) =>
  `${operation.verb}(${argumentsOf(operation)}): ${returnOf(operation)}`;

/** @param {Operation} operation */
function methodOf(operation) {
  const { said, method, path: place } = operation;
  const where = `\`${method} ${place.replace(WORKSPACE, ':ws')}\``;
  const comment = commentOf([`${said.summary}.`, '', said.description, '', where].join('\n'), '  ');
  return `${comment}  ${signatureOf(operation)};`;
}

/** The parameters of a query as one object. @param {Operation} operation */
function queryTypeOf(operation) {
  const named = operation.query.filter(({ name }) => name !== 'others');
  const isOpen = named.length < operation.query.length;
  const properties = Object.fromEntries(named.map(({ name, schema }) => [name, schema]));
  const required = named.filter(({ required: is }) => is).map(({ name }) => name);
  const schema = { type: 'object', properties, required, additionalProperties: isOpen };
  return `export type ${nameOf(operation)}Query = ${typeOf(schema)};\n`;
}

/** @param {any} document @returns {Record<string, string>} file -> text */
export function renderClient(document) {
  const operations = operationsOf(document);
  const groups = [...new Set(operations.map(({ group }) => group))];
  const within = (/** @type {string} */ group) => operations.filter((one) => one.group === group);
  const rows = groups.map((group) => {
    const lines = within(group).map(
      (one) => `    ${one.verb}: ${JSON.stringify([one.method, one.path, flagsOf(one)])},`,
    );
    return `  ${group}: {\n${lines.join('\n')}\n  },`;
  });
  const interfaces = groups.map((group) => {
    const [first] = within(group);
    const tag = document.tags.find((/** @type {any} */ one) => one.name === first?.said.tags[0]);
    const methods = within(group).map(methodOf).join('\n');
    return `${commentOf(tag.description, '')}export interface ${capital(group)}Api {\n${methods}\n}\n`;
  });
  const members = groups.map((group) => `  readonly ${group}: ${capital(group)}Api;`).join('\n');
  const queries = operations.filter(({ query }) => query.length > 0).map(queryTypeOf);
  const types = typesOf(document);
  return {
    'operations.ts': `import type { Operation } from '../http';\n\nexport const TABLE: Record<string, Record<string, Operation>> = {\n${rows.join('\n')}\n};\n`,
    'types.ts': `${types.text}\n${queries.join('\n').replaceAll(/\btypes\./g, '')}`,
    'resources.ts':
      `import type { Call } from '../call';\nimport type { CallOptions } from '../http';\nimport type { PageCall } from '../pages';\nimport type { StreamedEvent } from '../streams';\nimport type * as types from './types';\n\n` +
      `${interfaces.join('\n')}\n/** Every group of operations. */\nexport interface Resources {\n${members}\n}\n`,
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const document = load('../../../services/gateway/dist/openapi.json');
  const folder = fileURLToPath(new URL('../src/generated', import.meta.url));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(renderClient(document)))
    writeFileSync(path.join(folder, name), text);
}

// What was released is kept: protos by buf, of the API and the events every field that somebody may read and every
// field that no caller had to send, and indexes and queues under their names. Compared with what stood at the last release, in scripts/released.
//
//   node scripts/check-compatibility.mjs --release     what is here now is what was released; part of making a release
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { run } from '../deploy/local/lib/processes.mjs';
import { renderDocuments } from './generate-docs.mjs';
import { changedIndexes, indexesNow } from './released-indexes.mjs';
import { changedQueues, queuesNow } from './released-queues.mjs';

const RELEASED = path.join(ROOT, 'scripts/released');
const PROTOS = path.join(RELEASED, 'protos.binpb.gz');
const SURFACE = path.join(RELEASED, 'surface.txt.gz');
const INDEXES = path.join(RELEASED, 'indexes.txt.gz');
const QUEUES = path.join(RELEASED, 'queues.txt.gz');
const BUF = path.join(ROOT, 'node_modules/.bin/buf');
const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);
/** Deeper than any answer; only ends schemas that hold themselves. */
const DEPTH_MAX = 12;

/** @typedef {Record<string, any>} Json */

/**
 * A schema as lines: `data.id string`, and `data.id required` where it must be there.
 *
 * @param {Json | undefined} schema
 * @param {(reference: string) => Json} resolve
 * @param {string} at
 * @param {number} [depth]
 * @returns {string[]}
 */
export function fieldsOf(schema, resolve, at = '', depth = 0) {
  if (!schema || depth > DEPTH_MAX) return [];
  if (schema.$ref) return fieldsOf(resolve(schema.$ref), resolve, at, depth + 1);
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const below = (/** @type {string} */ name) => (at === '' ? name : `${at}.${name}`);
  const types = [schema.type ?? []].flat().filter((type) => type !== 'null');
  return [
    ...(at === '' ? [] : types.map((type) => `${at} ${type}`)),
    ...parts.flatMap((part) => fieldsOf(part, resolve, at, depth + 1)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
      ...fieldsOf(/** @type {Json} */ (member), resolve, below(name), depth + 1),
      ...((schema.required ?? []).includes(name) ? [`${below(name)} required`] : []),
    ]),
    ...(schema.items ? fieldsOf(schema.items, resolve, `${at}[]`, depth + 1) : []),
  ];
}

/**
 * The API and the events as sorted lines.
 *
 * @param {Json} openapi
 * @param {Json} asyncapi
 * @returns {string[]}
 */
export function surfaceOf(openapi, asyncapi) {
  const within = (/** @type {Json} */ document) => (/** @type {string} */ reference) =>
    reference
      .slice(2)
      .split('/')
      .reduce((at, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
  const schemaIn = (/** @type {Json | undefined} */ one) =>
    one?.content?.['application/json']?.schema;
  const operations = Object.entries(openapi.paths).flatMap(([place, item]) =>
    Object.entries(/** @type {Json} */ (item))
      .filter(([method]) => METHODS.has(method))
      .flatMap(([method, operation]) => {
        const name = `${method.toUpperCase()} ${place}`;
        const sent = fieldsOf(schemaIn(operation.requestBody), within(openapi));
        const answers = Object.entries(operation.responses ?? {}).filter(([code]) => code < '300');
        return [
          name,
          ...sent.map((line) => `${name} takes ${line}`),
          ...answers.flatMap(([, answer]) =>
            fieldsOf(schemaIn(answer), within(openapi)).map((line) => `${name} answers ${line}`),
          ),
        ];
      }),
  );
  const events = Object.entries(asyncapi.components.schemas).flatMap(([name, schema]) =>
    fieldsOf(/** @type {Json} */ (schema), within(asyncapi)).map((line) => `event ${name} ${line}`),
  );
  return [...new Set([...operations, ...events])].sort();
}

/** Whether somebody who sends must send it. */
const isDemand = (/** @type {string} */ line) => / takes .* required$/.test(line);

/**
 * What would break somebody who relies on what was released.
 *
 * @param {readonly string[]} released
 * @param {readonly string[]} now
 * @returns {string[]}
 */
export function breaches(released, now) {
  const [before, after] = [new Set(released), new Set(now)];
  const gone = released.filter((line) => !isDemand(line) && !after.has(line));
  const operationOf = (/** @type {string} */ line) => line.slice(0, line.indexOf(' takes '));
  const demanded = now.filter(
    (line) => isDemand(line) && !before.has(line) && before.has(operationOf(line)) && !isNew(line),
  );
  /** What is demanded within something that is new itself is not demanded of callers who do not send that. */
  function isNew(/** @type {string} */ line) {
    const field = line.slice(line.indexOf(' takes ') + 7).replace(/ required$/, '');
    const parent = field.includes('.') ? field.slice(0, field.lastIndexOf('.')) : '';
    if (parent === '') return false;
    const name = `${operationOf(line)} takes ${parent.replace(/\[\]$/, '')} `;
    return !released.some((one) => one.startsWith(name));
  }
  return [
    ...gone.map((line) => `no longer: ${line}`),
    ...demanded.map((line) => `newly demanded: ${line}`),
  ];
}

function surfaceNow() {
  const documents = renderDocuments();
  return surfaceOf(
    JSON.parse(String(documents['openapi.json'])),
    JSON.parse(String(documents['asyncapi.json'])),
  );
}

/** @param {string} file */
const linesOf = (file) => gunzipSync(readFileSync(file)).toString('utf8').split('\n');

/** Fails with what is no longer as it was released. Needs the build. */
export async function checkCompatibility() {
  if (!existsSync(SURFACE)) throw new Error('scripts/released is missing');
  await run(BUF, ['breaking', 'protos', '--against', PROTOS], { cwd: ROOT });
  const found = [
    ...breaches(linesOf(SURFACE), surfaceNow()),
    ...changedIndexes(linesOf(INDEXES), indexesNow()),
    ...changedQueues(linesOf(QUEUES), queuesNow()),
  ];
  if (found.length > 0) throw new Error(found.join('\n'));
}

/** From now on this is what was released. Needs the build. */
async function release() {
  mkdirSync(RELEASED, { recursive: true });
  await run(BUF, ['build', 'protos', '--exclude-source-info', '--output', PROTOS], { cwd: ROOT });
  writeFileSync(SURFACE, gzipSync(surfaceNow().join('\n')));
  writeFileSync(INDEXES, gzipSync(indexesNow().join('\n')));
  writeFileSync(QUEUES, gzipSync(queuesNow().join('\n')));
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const work = process.argv.includes('--release') ? release : checkCompatibility;
  work().catch((error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}

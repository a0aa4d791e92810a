// Indexes as they were released. One may be added; one that changes needs another name, for no server changes an index in
// place, and a service that finds another under its name does not start. One that is given up is named as retired, by which
// `npm run indexes -- prune` knows it from what a later release or somebody else has made, and its name does not come back.
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { GATEWAY } from '../deploy/local/lib/placement.mjs';
import { serviceNames } from '../deploy/local/lib/workspace.mjs';

/** @typedef {import('@laurel/mongo').CollectionIndexes} CollectionIndexes */

const RETIRED = 'retired';

/**
 * `<service>.<collection>.<name> <what it is>`, a line an index; of one that was given up `retired`.
 *
 * @param {string} service
 * @param {readonly CollectionIndexes[]} declared
 * @returns {string[]}
 */
export const indexLines = (service, declared) =>
  declared.flatMap(({ collection, indexes, retired = [] }) => [
    ...indexes.map(({ key, name, unique, expireAfterSeconds, partialFilterExpression }) => {
      const what = [
        Object.entries(key),
        unique === true,
        expireAfterSeconds ?? null,
        partialFilterExpression ?? null,
      ];
      return `${service}.${collection}.${name} ${JSON.stringify(what)}`;
    }),
    ...retired.map((name) => `${service}.${collection}.${name} ${RETIRED}`),
  ]);

/** Those of every service. Needs the build. @returns {string[]} */
export function indexesNow() {
  const load = createRequire(import.meta.url);
  const { everyIndex } = load(path.join(ROOT, 'packages/backend/dist/indexes.js'));
  return serviceNames()
    .filter((name) => name !== GATEWAY)
    .flatMap((name) => {
      const { indexes } = load(path.join(ROOT, `services/${name}/dist/index.js`));
      return indexLines(name, everyIndex(indexes));
    })
    .sort();
}

const nameOf = (/** @type {string} */ line) => line.slice(0, line.indexOf(' '));
const isRetired = (/** @type {string} */ line) => line.endsWith(` ${RETIRED}`);

/**
 * What is there under a released name and is another index, and what is there no more and is not retired. Of a collection
 * that is gone nothing is asked: its indexes go with it.
 *
 * @param {readonly string[]} released
 * @param {readonly string[]} now
 * @returns {string[]}
 */
export function changedIndexes(released, now) {
  const before = new Map(released.map((line) => [nameOf(line), line]));
  const names = new Set(now.map(nameOf));
  const collectionOf = (/** @type {string} */ line) => line.split('.', 2).join('.');
  const collections = new Set(now.map(collectionOf));
  return [
    ...now
      .filter((line) => !isRetired(line) && (before.get(nameOf(line)) ?? line) !== line)
      .map((line) => `changed under its old name; give it a new one: ${line}`),
    ...released
      .filter((line) => collections.has(collectionOf(line)) && !names.has(nameOf(line)))
      .map((line) => `given up; name it among what its collection has retired: ${line}`),
  ];
}

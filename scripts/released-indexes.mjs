// Indexes as they were released. One may be added or dropped; one that changes needs another name, for no server changes an
// index in place, and a service that finds another under its name does not start.
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { GATEWAY } from '../deploy/local/lib/placement.mjs';
import { serviceNames } from '../deploy/local/lib/workspace.mjs';

/** @typedef {import('@laurel/mongo').CollectionIndexes} CollectionIndexes */

/**
 * `<service>.<collection>.<name> <what it is>`, a line an index.
 *
 * @param {string} service
 * @param {readonly CollectionIndexes[]} declared
 * @returns {string[]}
 */
export const indexLines = (service, declared) =>
  declared.flatMap(({ collection, indexes }) =>
    indexes.map(({ key, name, unique, expireAfterSeconds, partialFilterExpression }) => {
      const what = [
        Object.entries(key),
        unique === true,
        expireAfterSeconds ?? null,
        partialFilterExpression ?? null,
      ];
      return `${service}.${collection}.${name} ${JSON.stringify(what)}`;
    }),
  );

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

/**
 * What is there under a released name and is another index.
 *
 * @param {readonly string[]} released
 * @param {readonly string[]} now
 * @returns {string[]}
 */
export function changedIndexes(released, now) {
  const nameOf = (/** @type {string} */ line) => line.slice(0, line.indexOf(' '));
  const before = new Map(released.map((line) => [nameOf(line), line]));
  return now
    .filter((line) => (before.get(nameOf(line)) ?? line) !== line)
    .map((line) => `changed under its old name; give it a new one: ${line}`);
}

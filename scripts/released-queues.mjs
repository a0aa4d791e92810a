// Queues of consumers as they were released. One that is given up is named among the `retiredQueues` of its service, which
// deletes it once no earlier release consumes it: left alone it stays bound, and fills the disk of the broker.
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../deploy/local/lib/paths.mjs';
import { GATEWAY } from '../deploy/local/lib/placement.mjs';
import { serviceNames } from '../deploy/local/lib/workspace.mjs';

const RETIRED = 'retired';

/** Stands for all that a table of consumers is made of: of what is in it only the names are asked for. */
const anything = new Proxy(() => undefined, { get: () => anything, apply: () => anything });

/**
 * A name a line; of a queue that was given up `<name> retired`.
 *
 * @param {readonly { queue: string }[]} consumers
 * @param {readonly string[]} [retired]
 * @returns {string[]}
 */
export const queueLines = (consumers, retired = []) => [
  ...consumers.map(({ queue }) => queue),
  ...retired.map((queue) => `${queue} ${RETIRED}`),
];

/** Those of every service. Needs the build. @returns {string[]} */
export function queuesNow() {
  const load = createRequire(import.meta.url);
  return serviceNames()
    .filter((name) => name !== GATEWAY)
    .flatMap((name) => {
      const { consumers } = load(path.join(ROOT, `services/${name}/dist/consumers.js`));
      const { retiredQueues } = load(path.join(ROOT, `services/${name}/dist/index.js`));
      return queueLines(consumers(anything, anything), retiredQueues);
    })
    .sort();
}

/**
 * What is no longer consumed and not retired, and what was retired and is consumed again: a replica of the release before
 * would delete it.
 *
 * @param {readonly string[]} released
 * @param {readonly string[]} now
 * @returns {string[]}
 */
export function changedQueues(released, now) {
  const after = new Set(now);
  const nameOf = (/** @type {string} */ line) => line.replace(` ${RETIRED}`, '');
  return [
    ...released
      .map(nameOf)
      .filter((queue) => !after.has(queue) && !after.has(`${queue} ${RETIRED}`))
      .map((queue) => `given up; name it among the retiredQueues of its service: ${queue}`),
    ...[...released, ...now]
      .filter((line) => line !== nameOf(line) && after.has(nameOf(line)))
      .map((line) => `retired; give the consumer a queue of another name: ${nameOf(line)}`),
  ];
}

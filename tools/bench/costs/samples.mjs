// What the inspector's samples say of each function: how long it was at work, and where it stands, as people name the place.

/**
 * @typedef {{ functionName: string, url: string, lineNumber: number }} CallFrame lines from 0 on
 * @typedef {{ nodes: { id: number, callFrame: CallFrame, children?: number[] }[], samples: number[], timeDeltas: number[] }} Profile
 */

/** What stands in a profile where there was nothing to do. */
export const IDLE = '(idle)';

/**
 * How long each node was at work itself, in microseconds, by its id.
 *
 * @param {Profile} profile
 */
export function ownUsOf({ samples, timeDeltas }) {
  /** @type {Map<number, number>} */
  const own = new Map();
  // What lies between two samples belongs to the first of them.
  for (const [index, id] of samples.entries())
    own.set(id, (own.get(id) ?? 0) + Math.max(0, timeDeltas[index + 1] ?? 0));
  return own;
}

/** @param {CallFrame} frame */
export function placeOf({ url, functionName }) {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)';
  return url
    .replace(/^.*\/node_modules\//, '')
    .replace(/^file:\/\/.*\/(services|packages)\//, '@laurel/$1/')
    .replace('/dist/', '/');
}

/** @param {string} place */
export const packageOf = (place) =>
  place.startsWith('node:')
    ? 'node:'
    : (/^@laurel\/\w+\/[\w-]+|^@[^/]+\/[^/]+|^[^/]+/.exec(place)?.[0] ?? place);

// The record of everything that was asked and answered, line by line on disk: what a checker believes instead of us.
import { createWriteStream, readFileSync } from 'node:fs';

/**
 * @typedef {import('./checker/world.mjs').Operation} Operation
 * @typedef {import('./checker/world.mjs').Reply} Reply
 * @typedef {Pick<Operation, 'id' | 'kind' | 'workspace' | 'path' | 'body' | 'of'>} Intent
 * @typedef {Pick<Operation, 'outcome' | 'status' | 'attempts'> & { entries?: Reply[], results?: Operation['results'], told?: Operation['told'] }} Ending
 */

/** @param {string} file made anew */
export function openHistory(file) {
  const stream = createWriteStream(file, { flags: 'w' });
  const since = performance.now();
  const now = () => Math.round((performance.now() - since) * 1_000) / 1_000;
  const write = (/** @type {object} */ row) => stream.write(`${JSON.stringify(row)}\n`);
  return {
    /** Milliseconds since the history began, on a clock that never runs backwards. */
    now,
    /** Written before the first byte is sent. @param {Intent} intent */
    invoke: (intent) => write({ event: 'invoke', at: now(), ...intent }),
    /** @param {string} id @param {Ending} ending */
    end: (id, ending) => write({ event: 'end', at: now(), id, ...ending }),
    /** @param {object} fault */
    fault: (fault) => write({ event: 'fault', at: now(), ...fault }),
    close: () => new Promise((resolve) => stream.end(() => resolve(undefined))),
  };
}

/** @typedef {ReturnType<typeof openHistory>} History */

/**
 * Every operation of a history; one without an ending has an unknown outcome.
 *
 * @param {string} file
 * @returns {Operation[]}
 */
export function readHistory(file) {
  /** @type {Map<string, Operation>} */
  const operations = new Map();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const { event, at, ...row } = JSON.parse(line);
    if (event === 'invoke') {
      const open = { outcome: 'unknown', status: 0, attempts: 1, entries: [], endedAt: Infinity };
      operations.set(row.id, { ...open, ...row, invokedAt: at });
    } else if (event === 'end') {
      Object.assign(/** @type {Operation} */ (operations.get(row.id)), row, { endedAt: at });
    }
  }
  return [...operations.values()];
}

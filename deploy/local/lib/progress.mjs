// What a person sees while the platform is being set up: one line when a step begins, one when it is done.

const startedAt = Date.now();

// A reader of our output may leave early (npm start | head): that must not end us before what we started is ended.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

/** @param {number} since */
const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** @param {string} text */
export function say(text = '') {
  process.stdout.write(`${text}\n`);
}

/** @param {string} text */
export function warn(text) {
  process.stderr.write(`! ${text}\n`);
}

/**
 * @template T
 * @param {string} doing such as "Building"
 * @param {() => Promise<T>} work
 * @param {(result: T) => string} [done] what to say instead of `doing` when it is done
 * @returns {Promise<T>}
 */
export async function step(doing, work, done = () => doing) {
  const since = Date.now();
  say(`· ${doing} ...`);
  const result = await work();
  say(`✓ ${done(result)} (${seconds(since)})`);
  return result;
}

/** How long it has been since the command was typed. */
export const sinceStart = () => seconds(startedAt);

/** An expected failure: its message tells the person what to do, and no stack trace is shown. */
export class SetupError extends Error {}

/**
 * The last words of a command that could not do its work.
 *
 * @param {unknown} error
 */
export function explain(error) {
  if (error instanceof SetupError) return warn(error.message);
  warn(
    error instanceof Error ? (process.env.DEBUG && error.stack) || error.message : String(error),
  );
}

// The platform as the chain's programs reach it: through its client, with the patience that a busy machine asks for.
import { Laurel } from '@laurel/client';

/** A machine that is busy with other things may need a while. */
const RETRIES = 29;

/** @typedef {{ requests: number, limited: number, waitedMs: number }} Counts */

/**
 * @param {{ baseUrl: string, token: string }} options
 * @returns {{ laurel: Laurel, counts: Counts, in: (workspace: string) => Laurel }} `counts` are of every client of it
 */
export function connect({ baseUrl, token }) {
  /** @type {Counts} */
  const counts = { requests: 0, limited: 0, waitedMs: 0 };
  /** @param {import('@laurel/client').Attempt} attempt */
  function onAttempt({ status, retryInMs = 0 }) {
    counts.requests += 1;
    if (status === 429) counts.limited += 1;
    counts.waitedMs += retryInMs;
  }
  const options = { baseUrl, token, retries: RETRIES, onAttempt };
  return {
    laurel: new Laurel(options),
    counts,
    in: (workspace) => new Laurel({ ...options, workspace }),
  };
}

// A client as the platform's users should write theirs: a key per operation, repeated until the outcome is known.
import { setTimeout as pause } from 'node:timers/promises';

/** @typedef {import('./http.mjs').Http} Http */
/** @typedef {import('./http.mjs').Answer} Answer */
/** @typedef {import('./http.mjs').Request} Request */

const PAUSE_MS_FIRST = 60;
const PAUSE_MS_MAX = 1_000;

/** Whether the request may or may not have taken effect, or was not even looked at. @param {Answer} answer */
export const isOpen = ({ status, keptRunning }) =>
  status === 0 || status >= 500 || status === 429 || keptRunning;

/**
 * @typedef {{ answer: Answer, path: string, request: Request, begunAt: number }} Attempt `request` is the same object for all attempts
 *   at one request; `begunAt` is on the clock of performance.now()
 *
 * @param {{ door: Pick<Http, 'attempt'>, token?: string, givesUpAt: () => number, onAttempt: (attempt: Attempt) => void }} options
 *   `givesUpAt` is on the clock of performance.now(); `onAttempt` hears of every attempt that its client waited for
 */
export function createClient({ door, token, givesUpAt, onAttempt }) {
  /**
   * Repeats a request under its key while the outcome is open.
   *
   * @param {string} path
   * @param {Request} request
   * @returns {Promise<Answer & { attempts: number }>} the last answer
   */
  async function insist(path, request) {
    for (let attempts = 1; ; attempts += 1) {
      const begunAt = performance.now();
      const answer = await door.attempt(path, {
        ...(token === undefined ? {} : { token }),
        ...request,
      });
      onAttempt({ answer, path, request, begunAt });
      if (!isOpen(answer) || performance.now() > givesUpAt()) return { ...answer, attempts };
      const backOff =
        Math.min(PAUSE_MS_FIRST * 2 ** attempts, PAUSE_MS_MAX) * (0.5 + Math.random());
      await pause(Math.max(backOff, Math.min(answer.retryAfterMs ?? 0, PAUSE_MS_MAX)));
    }
  }

  /**
   * Sends a request and walks away before the answer: the client never knows whether it took effect.
   *
   * @param {string} path
   * @param {Request} request
   * @param {number} afterMs
   */
  async function abandon(path, request, afterMs) {
    const walkAway = new AbortController();
    const timer = setTimeout(() => walkAway.abort(), afterMs);
    await door.attempt(path, {
      ...(token === undefined ? {} : { token }),
      ...request,
      signal: walkAway.signal,
    });
    clearTimeout(timer);
  }

  return { insist, abandon };
}

/** @typedef {ReturnType<typeof createClient>} Client */

// A row begins when nothing is left of the one before it.
import { cpuSeconds, pause } from './load.mjs';

/** So long without more CPU than the platform uses at rest (2.5 % of a core in one process, more in a process each). */
const QUIET_MS = 1_000;
const QUIET_CORES_MAX = 0.15;
const QUIET_WITHIN_MS = 120_000;

/**
 * Resolves once services and store do no more than at rest: consumers, relays and projections go on for seconds after
 * the last answer, and what they take is otherwise counted against whatever is measured next.
 *
 * @param {Record<string, number>} pids
 */
export async function untilAtRest(pids) {
  const deadline = performance.now() + QUIET_WITHIN_MS;
  for (;;) {
    const [before, at] = [sumOf(cpuSeconds(pids)), performance.now()];
    await pause(QUIET_MS);
    const cores = ((sumOf(cpuSeconds(pids)) - before) * 1_000) / (performance.now() - at);
    if (cores <= QUIET_CORES_MAX) return;
    if (performance.now() > deadline) throw new Error('the platform does not come to rest');
  }
}

/** @param {Record<string, number>} seconds */
const sumOf = (seconds) => Object.values(seconds).reduce((sum, one) => sum + one, 0);

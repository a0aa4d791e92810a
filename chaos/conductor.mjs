// Plays the faults of a plan and, after each cycle of them, watches how the platform does when it is left alone.
import { setTimeout as pause } from 'node:timers/promises';
import { createInjector } from './inject.mjs';
import { untilReady } from './watch.mjs';

/** @typedef {import('./faults.mjs').Fault} Fault */
/** @typedef {import('./checker/world.mjs').Calm} Calm */
/** @typedef {Fault & { fromMs: number, toMs: number, hit: boolean }} Injected when it was, on the history's clock */

/** Circuit breakers close again a little after everything is ready. */
const SETTLE_MS = 3_000;
const OBSERVED_MS = 8_000;
/** What a service needs to notice that Redis is back. */
const REDIS_AFTERMATH_MS = 3_000;

/**
 * @param {{ seed: number, plan: Fault[][], parts: () => import('./inject.mjs').Part[], redisUrl: string,
 *   history: import('./history.mjs').History }} options
 */
export function createConductor({ seed, plan, parts, redisUrl, history }) {
  const inject = createInjector({ seed, parts, redisUrl });
  /** @type {Injected[]} */
  const faults = [];
  /** @type {Calm[]} */
  const calms = [];
  let observed = false;

  /** @param {Fault[]} cycle */
  async function harm(cycle) {
    const begins = performance.now();
    const under = [];
    for (const fault of cycle) {
      await pause(Math.max(0, begins + fault.atMs - performance.now()));
      history.fault(fault);
      const injected = {
        ...fault,
        fromMs: history.now(),
        toMs: Number.POSITIVE_INFINITY,
        hit: false,
      };
      faults.push(injected);
      // The next one does not wait for this one: a frozen process may meet a dead one.
      under.push(
        inject(fault).then((hit) => Object.assign(injected, { hit, toMs: history.now() })),
      );
    }
    await Promise.all(under);
  }

  async function leaveAlone() {
    const begins = history.now();
    const readyAfterMs = await untilReady(parts);
    await pause(SETTLE_MS);
    calms.push({ begins, readyAfterMs, attempts: 0, failures: 0 });
    observed = true;
    await pause(OBSERVED_MS);
    observed = false;
  }

  return {
    faults,
    calms,
    async play() {
      for (const cycle of plan) {
        await harm(cycle);
        await leaveAlone();
      }
    },
    /** Told of every attempt of a client. @param {boolean} failed */
    note(failed) {
      const calm = calms.at(-1);
      if (!observed || !calm) return;
      calm.attempts += 1;
      if (failed) calm.failures += 1;
    },
    /** Whether Redis was away or lost what it knew at or after a time. @param {number} since */
    redisWasDisturbedSince: (since) =>
      faults.some(({ target, toMs }) => target === 'redis' && toMs + REDIS_AFTERMATH_MS > since),
  };
}

// Lets the faults of a cycle happen, each at its time, and notes whether it met what it was meant for.
import { setTimeout as pause } from 'node:timers/promises';

/** @typedef {import('./faults.mjs').Fault} Fault */
/** @typedef {import('./conductor.mjs').Injected} Injected */

const SECOND_CHANCES = 3;

/**
 * @param {{ inject: (fault: Fault) => Promise<boolean>, history: Pick<import('./history.mjs').History, 'fault' | 'now'>, ready: () => Promise<unknown> }} parts
 *   `ready` resolves when everything is there again
 */
export function createHarm({ inject, history, ready }) {
  /** @type {Injected[]} */
  const faults = [];
  const hasMet = (/** @type {string} */ action) =>
    faults.some((fault) => fault.action === action && fault.hit);

  /** @param {Fault} fault */
  async function harm(fault) {
    history.fault(fault);
    const toMs = Number.POSITIVE_INFINITY;
    const injected = { ...fault, fromMs: history.now(), toMs, hit: false };
    faults.push(injected);
    const hit = await inject(fault);
    Object.assign(injected, { hit, toMs: history.now() });
  }

  return {
    faults,
    /** Resolves when the last one has ended. @param {readonly Fault[]} cycle */
    async play(cycle) {
      const begins = performance.now();
      const under = [];
      for (const fault of cycle) {
        await pause(Math.max(0, begins + fault.atMs - performance.now()));
        // The next one does not wait for this one: a frozen process may meet a dead one.
        const ending = harm(fault);
        // It is heard below, once all have begun.
        ending.catch(() => undefined);
        under.push(ending);
      }
      await Promise.all(under);
      // On a slow machine all that a kind was meant for may have been dead at its moments.
      for (const fault of cycle)
        for (let chance = 0; chance < SECOND_CHANCES && !hasMet(fault.action); chance += 1) {
          await ready();
          await harm(fault);
        }
    },
  };
}

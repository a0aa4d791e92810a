// Plays the faults of a plan and, after each cycle of them, watches how the platform does when it is left alone.
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../../deploy/local/lib/progress.mjs';
import { isOpen } from './client.mjs';
import { createHarm } from './harm.mjs';
import { createInjector } from './inject.mjs';
import { longestPauseOf } from './machine.mjs';
import { untilReady } from './watch.mjs';

/** @typedef {import('./faults.mjs').Fault} Fault */
/** @typedef {import('./checker/world.mjs').Calm} Calm */
/** @typedef {Fault & { fromMs: number, toMs: number, hit: boolean }} Injected when it was, on the history's clock */

/**
 * When everything is ready, a channel may still rest before it connects again (2.4 s with its jitter, packages/rpc/src/client.ts), and a
 * breaker that a connected service opened, by saying that its store is away, stays open for two seconds (breaker.ts).
 */
const SETTLE_MS = 5_000;
/** A calm is observed until it was long enough to say something, also on a slow machine. */
const OBSERVED_MS = { min: 8_000, max: 30_000 };
const OBSERVED_ATTEMPTS = 100;
/** A machine that stands still for so long fails requests of itself, and the calm is observed anew, a few times at most. */
const STOOD_STILL_MS = 1_000;
const OBSERVATIONS_MAX = 3;

/**
 * @param {Parameters<typeof createInjector>[0] & { plan: Fault[][], history: import('./history.mjs').History, folder: string }} options `folder` is
 *   where the platform keeps its data
 */
export function createConductor({ plan, parts, history, folder, ...options }) {
  const harm = createHarm({
    inject: createInjector({ parts, ...options }),
    history,
    ready: () => untilReady(parts),
  });
  /** @type {Calm[]} */
  const calms = [];
  /** From when on attempts count, on the clock of performance.now(). */
  let observedSince = Number.POSITIVE_INFINITY;
  /** Requests of which an attempt failed in this calm. @type {WeakSet<object>} */
  let failedBefore = new WeakSet();

  async function leaveAlone() {
    const begins = history.now();
    const { readyAfterMs, lacking } = await untilReady(parts);
    await pause(SETTLE_MS);
    const before = parts();
    const calm = { begins, readyAfterMs, lacking, ...nothingSeen(), died: [] };
    calms.push(calm);
    for (let left = OBSERVATIONS_MAX; left > 0; left -= 1) {
      Object.assign(calm, nothingSeen());
      failedBefore = new WeakSet();
      observedSince = performance.now();
      const pausedMs = await longestPauseOf(folder, () => !isSeenEnough(calm, observedSince));
      observedSince = Number.POSITIVE_INFINITY;
      if (pausedMs < STOOD_STILL_MS) break;
      say(`  The machine stood still for ${Math.round(pausedMs)} ms while the calm was observed`);
    }
    Object.assign(calm, { died: missingFrom(parts(), before) });
  }

  return {
    faults: harm.faults,
    calms,
    async play() {
      for (const cycle of plan) {
        await harm.play(cycle);
        await leaveAlone();
      }
    },
    /** Hears of every attempt of a client; those that began before the calm are the faults' matter. @param {import('./client.mjs').Attempt} attempt */
    note({ answer, path, request, begunAt }) {
      const calm = calms.at(-1);
      if (!calm || begunAt < observedSince) return;
      calm.attempts += 1;
      if (!isOpen(answer)) return;
      const lasted = Math.round(performance.now() - begunAt);
      const at = Math.round(begunAt - observedSince);
      calm.failed.push(`${at} ms in, after ${lasted} ms: ${asked(path, request)} ${said(answer)}`);
      if (failedBefore.has(request)) calm.repeated += 1;
      failedBefore.add(request);
    },
  };
}

/** @returns {Pick<Calm, 'attempts' | 'failed' | 'repeated'>} */
const nothingSeen = () => ({ attempts: 0, failed: [], repeated: 0 });

/** @param {Calm} calm @param {number} since */
function isSeenEnough({ attempts }, since) {
  const forMs = performance.now() - since;
  if (forMs > OBSERVED_MS.max) return true;
  return forMs > OBSERVED_MS.min && attempts >= OBSERVED_ATTEMPTS;
}

/** Names of processes that are not the ones they were. @param {import('./inject.mjs').Part[]} now @param {import('./inject.mjs').Part[]} before */
function missingFrom(now, before) {
  const pids = new Set(now.map(({ pid }) => pid));
  return before.filter(({ pid }) => !pids.has(pid)).map(({ name }) => name);
}

/** @param {string} path @param {import('./http.mjs').Request} request */
const asked = (path, { method = 'GET' }) => `${method} ${path}`;

/** @param {import('./http.mjs').Answer} answer */
const said = ({ status, body }) =>
  `${status} ${typeof body === 'string' ? body : JSON.stringify(body ?? '')}`;

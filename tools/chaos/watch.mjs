// Whether the platform is well again: ready after faults, and drained after the load.
import { setTimeout as pause } from 'node:timers/promises';
import { say } from '../../deploy/local/lib/progress.mjs';
import { environmentOf, listQueues } from './broker.mjs';

/** @typedef {{ name: string, pid: number }} Part */

const LOOK_EVERY_MS = 200;
const READY_WITHIN_MS = 60_000;
const DRAINED_WITHIN_MS = 240_000;
/** Who waits that long wants to know for what. */
const TELL_EVERY_MS = 20_000;
const FORGOTTEN_WITHIN_MS = 90_000;

/** What a process lacks before it is ready; empty when it and all it depends on are there. @param {Part} part */
async function lacks({ name, pid }) {
  try {
    const { HEALTH_PORT, ...env } = environmentOf(pid);
    // The servers have no health port: the services that need them say whether they are there.
    if (env.GRPC_PORT === undefined && env.PORT === undefined) return [];
    const reply = await fetch(`http://127.0.0.1:${HEALTH_PORT}/health/dependencies`, {
      signal: AbortSignal.timeout(1_500),
    });
    const said = await reply.text();
    return reply.ok ? [] : [`${name}: ${said}`];
  } catch (error) {
    return [`${name}: ${error}`];
  }
}

/**
 * @param {() => Part[]} parts
 * @param {number} [withinMs]
 * @returns {Promise<{ readyAfterMs: number | null, lacking: string[] }>} milliseconds until every process answered that
 *   it and all it depends on are there; null if that never came, and what was lacking then
 */
export async function untilReady(parts, withinMs = READY_WITHIN_MS) {
  const since = performance.now();
  for (;;) {
    const lacking = (await Promise.all(parts().map(lacks))).flat();
    const afterMs = Math.round(performance.now() - since);
    if (lacking.length === 0) return { readyAfterMs: afterMs, lacking };
    if (afterMs > withinMs) return { readyAfterMs: null, lacking };
    await pause(LOOK_EVERY_MS);
  }
}

/**
 * Waits until nothing is waiting in a store or a queue.
 *
 * @param {Pick<import('./store.mjs').Store, 'waiting'>} store
 * @param {() => number} brokerPid
 * @returns {Promise<{ afterMs: number, waiting: Record<string, number> }>} `waiting` names what never went away
 */
export async function untilDrained(store, brokerPid) {
  const since = performance.now();
  let toldMs = 0;
  for (;;) {
    const waiting = await whatWaits(store, brokerPid);
    const afterMs = Math.round(performance.now() - since);
    if (Object.keys(waiting).length === 0 || afterMs > DRAINED_WITHIN_MS)
      return { afterMs, waiting };
    if (afterMs - toldMs > TELL_EVERY_MS) {
      say(`  after ${Math.round(afterMs / 1_000)} s still there: ${JSON.stringify(waiting)}`);
      toldMs = afterMs;
    }
    await pause(LOOK_EVERY_MS);
  }
}

/**
 * Waits for the last look at what failed, which gives back what arrived too late.
 *
 * @param {import('./store.mjs').Store} store
 */
export async function untilForgotten(store) {
  const until = performance.now() + FORGOTTEN_WITHIN_MS;
  while ((await store.failedAttempts()) > 0 && performance.now() < until)
    await pause(LOOK_EVERY_MS);
}

/**
 * The stores first, which is cheap; the broker's tool only once they are empty. And the stores again, because what was
 * in a queue may have written into them.
 *
 * @param {Pick<import('./store.mjs').Store, 'waiting'>} store
 * @param {() => number} brokerPid
 */
async function whatWaits(store, brokerPid) {
  const first = await stored(store);
  if (Object.keys(first).length > 0) return first;
  const queues = await listQueues(brokerPid()).catch(() => null);
  if (!queues) return { 'the broker does not answer': 1 };
  const full = queues
    .filter(({ ready, unacknowledged }) => ready + unacknowledged > 0)
    .map(({ name, ready, unacknowledged }) => [`queue ${name}`, ready + unacknowledged]);
  return full.length > 0 ? Object.fromEntries(full) : stored(store);
}

/** @param {Pick<import('./store.mjs').Store, 'waiting'>} store */
const stored = (store) =>
  store.waiting().catch((error) => ({ [`the store does not answer: ${error.message}`]: 1 }));

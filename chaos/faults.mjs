// What can go wrong, and when it does: a plan that depends on the seed alone.
import { createRandom } from './random.mjs';

/**
 * @typedef {'kill' | 'freeze' | 'kill backend' | 'flush'} Action SIGKILL; SIGSTOP, then SIGCONT; SIGKILL of one of the
 *   database's own processes; FLUSHALL
 * @typedef {{ atMs: number, action: Action, target: string, forMs: number }} Fault `target` is a process by name,
 *   `atMs` counts from the beginning of its cycle
 */

/** A cycle is a time with faults and, after it, a calm. */
const CYCLE_MS = 60_000;
const FAULTY_SHARE = 0.7;
/** The load runs undisturbed for a moment, so that the first fault meets work in flight. */
const FIRST_FAULT_MS = 2_000;
const PAUSE_MS = { from: 1_200, to: 2_800 };
const FREEZE_MS = { from: 500, to: 4_000 };

/** What may happen to each server. @type {Record<string, Action[]>} */
const SERVERS = {
  rabbitmq: ['kill', 'freeze'],
  redis: ['kill', 'freeze', 'flush'],
  'documentdb-gateway': ['kill', 'freeze'],
  documentdb: ['kill', 'kill backend'],
  mongod: ['kill', 'freeze'],
};
/** Where the money is, deaths are more frequent. */
const TWICE = new Set(['ledger', 'gateway', 'integrations']);

/**
 * @param {readonly string[]} targets names of all processes, replicas included
 * @returns {{ action: Action, target: string }[]}
 */
function deckOf(targets) {
  return targets.flatMap((target) => {
    const service = target.replace(/-\d+$/, '');
    const actions = SERVERS[target] ?? /** @type {Action[]} */ (['kill', 'freeze']);
    const all = TWICE.has(service) ? [...actions, /** @type {Action} */ ('kill')] : actions;
    return all.map((action) => ({ action, target }));
  });
}

/**
 * Every kind of fault comes once before any comes again.
 *
 * @param {{ seed: number, seconds: number, targets: readonly string[] }} options
 * @returns {Fault[][]} per cycle, in order of time
 */
export function planFaults({ seed, seconds, targets }) {
  const random = createRandom(seed, 'faults');
  const cycles = Math.max(1, Math.round((seconds * 1_000) / CYCLE_MS));
  const faultyMs = ((seconds * 1_000) / cycles) * FAULTY_SHARE;
  /** @type {{ action: Action, target: string }[]} */
  let deck = [];
  function draw() {
    if (deck.length === 0) deck = random.shuffled(deckOf(targets));
    return /** @type {{ action: Action, target: string }} */ (deck.pop());
  }
  return Array.from({ length: cycles }, () => {
    const faults = [];
    for (
      let atMs = FIRST_FAULT_MS;
      atMs < faultyMs;
      atMs += random.int(PAUSE_MS.from, PAUSE_MS.to)
    ) {
      const { action, target } = draw();
      const forMs = action === 'freeze' ? random.int(FREEZE_MS.from, FREEZE_MS.to) : 0;
      faults.push({ atMs, action, target, forMs });
    }
    return faults;
  });
}

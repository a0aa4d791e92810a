// What can go wrong, and when it does: a plan that depends on the seed alone.
import { createRandom } from '../lib/random.mjs';
import { JUMPING } from './clocks.mjs';
import { STORE_REFUSALS } from './store-refusals.mjs';

/**
 * @typedef {'kill' | 'kill again' | 'freeze' | 'freeze long' | 'kill backend' | 'disk full' | 'flush' | 'alarm' | 'full' | 'starve' | 'replay' | 'clock' | import('./store-refusals.mjs').StoreRefusal | import('../lib/links.mjs').Harm} Action
 *   SIGKILL; the same, and once more while what took its place recovers; SIGSTOP, then SIGCONT, the long one after every lease
 *   has run out; SIGKILL of one of the database's own processes; its disk is filled to the last block; FLUSHALL; the broker says that it is out of memory; the broker
 *   has no disk left, Redis no memory; a process gets a tenth of the processor; events that were sent before come again, twice and in another order; the
 *   clock of a process is a minute and a half off; writes are refused as by a replica set without a primary, commits collide, or are done and
 *   their reply is lost, the store has no disk left, or each write takes a quarter of a second more; and what happens to the network before a server
 * @typedef {{ atMs: number, action: Action, target: string, forMs: number }} Fault `target` is a process by name,
 *   `atMs` counts from the beginning of its cycle, `forMs` is how long it is frozen, or lives between its deaths
 */

/** A cycle is a time with faults and, after it, a calm. */
const CYCLE_MS = 60_000;
const FAULTY_SHARE = 0.7;
/** The load runs undisturbed for a moment, so that the first fault meets work in flight. */
const FIRST_FAULT_MS = 2_000;
const PAUSE_MS = { from: 500, to: 1_000 };
const FREEZE_MS = { from: 500, to: 4_000 };
/** Leases end after 20 seconds at most: what wakes up then does not know that another has its work. */
const LONG_FREEZE_MS = { from: 21_000, to: 24_000 };
const NETWORK_MS = { from: 300, to: 3_000 };
const ALARM_MS = { from: 1_000, to: 4_000 };
/** The library looks once a second how late it is. */
const CLOCK_MS = { from: 3_000, to: 8_000 };
const STARVING_MS = { from: 3_000, to: 8_000 };
/** From before a process has connected to anything until it is at work that its predecessor left. */
const REBORN_MS = { from: 50, to: 2_500 };

/** What may happen to each server. @type {Record<string, Action[]>} */
const SERVERS = {
  rabbitmq: ['kill', 'freeze', 'alarm', 'full', 'replay', 'cut', 'stall', 'lose replies', 'slow'],
  redis: ['kill', 'freeze', 'flush', 'full', 'cut', 'stall', 'lose replies'],
  'documentdb-gateway': [
    ...STORE_REFUSALS,
    'kill',
    'freeze',
    'cut',
    'stall',
    'lose replies',
    'slow',
  ],
  documentdb: ['kill', 'kill backend'],
  mongod: ['kill', 'freeze', 'cut', 'stall', 'lose replies', 'slow'],
};
/** Where the money is, deaths are more frequent, and come in pairs: recovery must survive what it recovers from. */
const TWICE = new Set(['ledger', 'gateway', 'integrations']);
/** Another of their kind takes over meanwhile. */
const LONG = new Set(['ledger', 'clients', 'integrations']);
/** What times out and what does not is another matter where everything takes ten times as long. */
const STARVED = new Set(['ledger', 'clients', 'gateway']);

/** Who may have a disk of its own. */
export const DISK_OF = 'documentdb';

/** @typedef {{ action: Action, target: string }} Card */

/** @typedef {{ withClocks?: boolean, withDisk?: boolean }} Means what this machine allows */

/** @param {string} target @param {Means} means @returns {Card[]} */
function cardsOf(target, { withClocks, withDisk }) {
  const service = target.replace(/-\d+$/, '');
  /** @type {Action[]} */
  const actions = SERVERS[target] ?? [
    'kill',
    'freeze',
    ...(TWICE.has(service) ? ['kill again'] : []),
    ...(LONG.has(service) ? ['freeze long'] : []),
    ...(STARVED.has(service) ? ['starve'] : []),
    ...(withClocks && JUMPING.includes(service) ? ['clock'] : []),
  ];
  const filled = withDisk && target === DISK_OF ? /** @type {const} */ (['disk full']) : [];
  return [...actions, ...filled].map((action) => ({ action, target }));
}

/**
 * Every card comes once before any comes again, and in the beginning one of every kind, so that a minute meets them all.
 *
 * @param {import('../lib/random.mjs').Random} random
 * @param {Card[]} cards
 */
function createDeck(random, cards) {
  /** @type {Card[]} */
  let left = everyKindFirst(random.shuffled(cards));
  return () => {
    if (left.length === 0) left = random.shuffled(cards);
    return /** @type {Card} */ (left.pop());
  };
}

/** @param {Card[]} cards @returns {Card[]} the last is drawn first */
function everyKindFirst(cards) {
  const first = new Map(cards.map((card) => [card.action, card]));
  const ofEachKind = new Set(first.values());
  return [...cards.filter((card) => !ofEachKind.has(card)), ...ofEachKind];
}

/**
 * What may happen in a run, each of which must.
 *
 * @param {{ targets: readonly string[] } & Means} options
 * @returns {Action[]}
 */
export function kindsOf({ targets, ...means }) {
  return [
    ...new Set(targets.flatMap((target) => cardsOf(target, means)).map(({ action }) => action)),
  ];
}

/** @type {Partial<Record<Action, { from: number, to: number }>>} */
const LASTING = {
  freeze: FREEZE_MS,
  'freeze long': LONG_FREEZE_MS,
  'kill again': REBORN_MS,
  alarm: ALARM_MS,
  full: ALARM_MS,
  starve: STARVING_MS,
  clock: CLOCK_MS,
  cut: NETWORK_MS,
  stall: NETWORK_MS,
  'lose replies': NETWORK_MS,
  slow: NETWORK_MS,
  'step down': NETWORK_MS,
  conflict: NETWORK_MS,
  'unsure commit': NETWORK_MS,
  'no disk': NETWORK_MS,
  'slow disk': NETWORK_MS,
  'disk full': ALARM_MS,
};

/** @param {Action} action @param {import('../lib/random.mjs').Random} random */
function durationOf(action, random) {
  const lasting = LASTING[action];
  return lasting ? random.int(lasting.from, lasting.to) : 0;
}

/**
 * Servers and services take turns, so that a short run meets both.
 *
 * @param {{ seed: number, seconds: number, targets: readonly string[] } & Means} options `targets` are names of all processes
 * @returns {Fault[][]} per cycle, in order of time
 */
export function planFaults({ seed, seconds, targets, ...means }) {
  const random = createRandom(seed, 'faults');
  const cycles = Math.max(1, Math.round((seconds * 1_000) / CYCLE_MS));
  const faultyMs = ((seconds * 1_000) / cycles) * FAULTY_SHARE;
  const cards = (/** @type {string} */ target) => cardsOf(target, means);
  const isServer = (/** @type {string} */ target) => target in SERVERS;
  const decks = [
    createDeck(random, targets.filter(isServer).flatMap(cards)),
    createDeck(random, targets.filter((target) => !isServer(target)).flatMap(cards)),
  ];
  let turn = 0;
  return Array.from({ length: cycles }, () => {
    const faults = [];
    const pauseMs = () => random.int(PAUSE_MS.from, PAUSE_MS.to);
    for (let atMs = FIRST_FAULT_MS; atMs < faultyMs; atMs += pauseMs()) {
      const draw = /** @type {() => Card} */ (decks[turn++ % decks.length]);
      const { action, target } = draw();
      faults.push({ atMs, action, target, forMs: durationOf(action, random) });
    }
    return faults;
  });
}

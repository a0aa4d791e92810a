// Keeps a set of processes running: one that dies unexpectedly is started again, with growing pauses.
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, startTimeOf } from './processes.mjs';

const LOOK_EVERY_MS = 200;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;
/** After this long without a fault a process is forgiven: the next fault starts with a short pause again. */
const FORGIVEN_AFTER_MS = 60_000;

/**
 * @typedef {{ pid: number, helpers?: Record<string, number>, stop(): Promise<void> }} Running one process and, by name, those it needs beside it
 * @typedef {{ name: string, stage: number, start: () => Promise<Running>, stopSignal?: NodeJS.Signals }} Part how to get it;
 *   a later stage needs the earlier ones, so it is stopped before them
 * @typedef {{ name: string, pid: number, stage: number, startTime: string, stopSignal?: NodeJS.Signals }} Recorded
 */

/** @typedef {{ part: Part, running: Running, startedAt: number, faults: number, totalFaults: number, retired: boolean, watch: Promise<void> }} Watched */

export class Supervisor {
  /** @type {Watched[]} */
  #entries = [];
  /** First starts under way: what stops everything must wait for them, or they would be left behind. */
  #starting = new Set();
  #stopping = new AbortController();
  #onChange;
  #onFault;
  #longestPauseMs;

  /**
   * @param {{ onChange?: () => void, onFault?: (message: string) => void, longestPauseMs?: number }} [options]
   *   `onChange` is called whenever a process was started, `onFault` when one died; `longestPauseMs` is how long one
   *   that keeps dying rests at most
   */
  constructor({ onChange = () => {}, onFault = () => {}, longestPauseMs = LONGEST_PAUSE_MS } = {}) {
    this.#longestPauseMs = longestPauseMs;
    // Every watched process waits on the one signal.
    setMaxListeners(0, this.#stopping.signal);
    this.#onChange = onChange;
    this.#onFault = onFault;
  }

  /**
   * Starts a part and watches it from then on. A first start that fails is the caller's to explain.
   *
   * @template {Running} R
   * @param {Part & { start: () => Promise<R> }} part
   * @returns {Promise<R>}
   */
  async add(part) {
    if (this.#stopping.signal.aborted)
      throw new Error(`${part.name} is not started: everything is being stopped`);
    const starting = this.#startFirst(part);
    this.#starting.add(starting);
    try {
      return /** @type {R} */ (await starting);
    } finally {
      this.#starting.delete(starting);
    }
  }

  /** @param {Part} part */
  async #startFirst(part) {
    const running = await part.start();
    const entry = {
      part,
      running,
      startedAt: Date.now(),
      faults: 0,
      totalFaults: 0,
      retired: false,
      watch: Promise.resolve(),
    };
    this.#entries.push(entry);
    this.#onChange();
    entry.watch = this.#watch(entry);
    return running;
  }

  /** Ends a part in order and watches it no more. @param {string} name */
  async retire(name) {
    const entry = this.#entries.find(({ part }) => part.name === name);
    if (!entry) throw new Error(`${name} does not run`);
    entry.retired = true;
    // It may be on its way back to life.
    await entry.watch;
    this.#entries = this.#entries.filter((each) => each !== entry);
    await entry.running.stop();
    this.#onChange();
  }

  /** Ends every part of a stage and of the later ones, these first, and watches them no more. @param {number} stage */
  async retireFrom(stage) {
    const parts = this.#entries.map(({ part }) => part).filter((part) => part.stage >= stage);
    for (const each of stagesDownwards(parts)) {
      const names = parts.filter((part) => part.stage === each).map(({ name }) => name);
      await Promise.all(names.map((name) => this.retire(name)));
    }
  }

  /** How often the process of this name has died. @param {string} name */
  faultsOf(name) {
    return this.#entries.find(({ part }) => part.name === name)?.totalFaults ?? 0;
  }

  /** Everything that runs, in the order it was started. @returns {Recorded[]} */
  recorded() {
    return this.#entries.flatMap(({ part: { name: own, stage, stopSignal }, running }) =>
      Object.entries({ [own]: running.pid, ...running.helpers }).map(([name, pid]) => ({
        name,
        pid,
        stage,
        startTime: startTimeOf(pid),
        stopSignal,
      })),
    );
  }

  /** Ends everything, stage by stage; what is being started again is waited for and ended too. */
  async stop() {
    this.#stopping.abort();
    await Promise.allSettled(this.#starting);
    await Promise.all(this.#entries.map(({ watch }) => watch));
    for (const stage of stagesDownwards(this.#entries.map(({ part }) => part))) {
      const ending = this.#entries.filter(({ part }) => part.stage === stage);
      await Promise.all(ending.map(({ running }) => running.stop()));
    }
    this.#entries = [];
  }

  /** @param {Watched} entry */
  async #watch(entry) {
    while (!entry.retired && (await this.#pause(LOOK_EVERY_MS))) {
      if (!entry.retired && !isAlive(entry.running.pid)) await this.#revive(entry);
    }
  }

  /** @param {Watched} entry */
  async #revive(entry) {
    if (Date.now() - entry.startedAt > FORGIVEN_AFTER_MS) entry.faults = 0;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** entry.faults, this.#longestPauseMs);
    entry.faults += 1;
    entry.totalFaults += 1;
    this.#onFault(
      `${entry.part.name} (pid ${entry.running.pid}) ended unexpectedly; starting it again`,
    );
    if (!(await this.#pause(pause))) return;
    try {
      // What it had beside it may have survived it.
      await entry.running.stop();
      entry.running = await entry.part.start();
      entry.startedAt = Date.now();
      this.#onChange();
    } catch (error) {
      this.#onFault(`${entry.part.name} did not start: ${/** @type {Error} */ (error).message}`);
    }
  }

  /**
   * @param {number} ms
   * @returns {Promise<boolean>} false when everything is to stop
   */
  async #pause(ms) {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
    return !this.#stopping.signal.aborted;
  }
}

/**
 * @param {{ stage: number }[]} parts
 * @returns {number[]}
 */
export const stagesDownwards = (parts) =>
  [...new Set(parts.map(({ stage }) => stage))].sort((a, b) => b - a);

// Clocks of single processes that are put forward and back, by libfaketime of Debian (package libfaketime).
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { installForTests } from '../../deploy/local/lib/debian.mjs';

/** Whose clock jumps: each is alone, and decides by the time of day. */
export const JUMPING = ['rewards', 'tiers'];
/** Longer than leases last and than answers are remembered. */
const JUMP_SECONDS = 90;
const LIBRARIES = '/usr/lib';
const LIBRARY = 'faketime/libfaketimeMT.so.1';

/** Without the library, and where it cannot be installed, no clock jumps. */
export async function installClockLibrary() {
  if (!findClockLibrary()) await installForTests(['libfaketime'], 'no clock jumps');
}

/** @returns {string | undefined} where this machine has the library */
export function findClockLibrary(root = LIBRARIES) {
  if (!existsSync(root)) return undefined;
  const places = readdirSync(root).map((name) => path.join(root, name, LIBRARY));
  return places.find((place) => existsSync(place));
}

/**
 * @param {string} library
 * @param {string} folder for what says how far each clock is off
 */
export function openClocks(library, folder) {
  mkdirSync(folder, { recursive: true });
  const fileOf = (/** @type {string} */ name) => path.join(folder, `${name}.clock`);
  /** At once: the library must never read half of it. @param {string} name @param {number} seconds */
  function set(name, seconds) {
    writeFileSync(`${fileOf(name)}.new`, `${seconds < 0 ? '' : '+'}${seconds}\n`);
    renameSync(`${fileOf(name)}.new`, fileOf(name));
  }
  for (const name of JUMPING) set(name, 0);

  return {
    /** What each process is started with. @type {Record<string, NodeJS.ProcessEnv>} */
    settings: Object.fromEntries(
      JUMPING.map((name) => [
        name,
        {
          LD_PRELOAD: library,
          FAKETIME_TIMESTAMP_FILE: fileOf(name),
          FAKETIME_CACHE_DURATION: '1',
          FAKETIME_DONT_FAKE_MONOTONIC: '1',
          NO_FAKE_STAT: '1',
        },
      ]),
    ),
    /**
     * Puts a clock forward or back, and right again.
     *
     * @param {string} name
     * @param {{ forMs: number, random: import('../lib/random.mjs').Random }} how
     */
    async jump(name, { forMs, random }) {
      set(name, random.pick([-JUMP_SECONDS, JUMP_SECONDS]));
      await pause(forMs);
      set(name, 0);
      return true;
    },
  };
}

/** @typedef {ReturnType<typeof openClocks>} Clocks */

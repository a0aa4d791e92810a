// What the machine does of itself: one that stands still fails requests that no platform could have answered.
import { open, unlink } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 100;

/**
 * Looks every 100 ms how late it comes itself, and how long the disk takes to keep a few bytes.
 *
 * @param {string} folder on the disk that the platform writes to
 * @param {() => boolean} goesOn
 * @returns {Promise<number>} milliseconds of the longest pause until `goesOn` said no
 */
export async function longestPauseOf(folder, goesOn) {
  const name = path.join(folder, 'pause');
  const file = await open(name, 'w');
  let longestMs = 0;
  try {
    while (goesOn()) {
      const since = performance.now();
      await pause(LOOK_EVERY_MS);
      await file.write('kept', 0);
      await file.datasync();
      longestMs = Math.max(longestMs, performance.now() - since - LOOK_EVERY_MS);
    }
  } finally {
    await file.close();
    await unlink(name);
  }
  return longestMs;
}

// A disk of the store's own, which can be filled to the last block: a file with a file system in it (loop device). Root alone may mount it.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findOnPath } from '../../deploy/local/lib/on-path.mjs';

/** More than an hour of load writes; the file is only as large as what is in it. */
const SIZE = '8G';
const TOOLS = ['mkfs.ext4', 'mount', 'umount', 'fallocate', 'truncate'];
/** At once; the rest is written piece by piece, as the file system needs some for itself. */
const MOST_SHARE = 0.999;
/** What is let go meanwhile is taken again. */
const TOP_UP_MS = 50;
const PIECE = Buffer.alloc(64 * 1_024);

/** @typedef {NonNullable<ReturnType<typeof openDisk>>} Disk */

/**
 * Puts a disk where a server will keep its data.
 *
 * @param {{ folder: string, image: string }} places the data's folder, and the file that the disk is in
 * @returns undefined where this machine lets no process mount one
 */
export function openDisk({ folder, image }) {
  if (process.getuid?.() !== 0 || !TOOLS.every((tool) => findOnPath(tool))) return undefined;
  mkdirSync(folder, { recursive: true });
  rmSync(image, { force: true });
  execFileSync('truncate', ['--size', SIZE, image]);
  execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', '-O', '^has_journal', image]);
  if (spawnSync('mount', ['-o', 'loop', image, folder]).status !== 0) {
    rmSync(image);
    return undefined;
  }
  // The image stays, for those who look for what a run has found.
  process.once('exit', () => endDisk(folder));

  return {
    /** Leaves no block for so long; says whether it came to that. @param {number} forMs */
    async fill(forMs) {
      const ballast = path.join(folder, 'ballast');
      const until = performance.now() + forMs;
      const { bavail, bsize } = statfsSync(folder);
      const length = Math.floor(bavail * MOST_SHARE) * bsize;
      if (spawnSync('fallocate', ['--length', String(length), ballast]).status !== 0) return false;
      const file = openSync(ballast, 'a');
      let wasFull = false;
      try {
        while (performance.now() < until) {
          wasFull = takeTheRest(file) || wasFull;
          await pause(TOP_UP_MS);
        }
      } finally {
        closeSync(file);
        rmSync(ballast);
      }
      return wasFull;
    },
  };
}

/** Ends what an earlier run has left mounted. @param {string} folder */
export function endDisk(folder) {
  const mounts = readFileSync('/proc/mounts', 'utf8');
  if (mounts.split('\n').some((line) => line.split(' ')[1] === folder))
    execFileSync('umount', ['--lazy', folder]);
}

/** @param {number} file @returns {boolean} true once nothing is left */
function takeTheRest(file) {
  try {
    for (;;) writeSync(file, PIECE);
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === 'ENOSPC') return true;
    throw error;
  }
}

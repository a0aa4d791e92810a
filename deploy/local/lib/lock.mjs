// One set-up at a time: `npm start` and `npm test` typed together must not install into the same folder at once.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './processes.mjs';
import { say } from './progress.mjs';

/**
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(file, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  let told = false;
  while (!tryLock(file)) {
    if (!told) say('· Waiting for another command that is setting up ...');
    told = true;
    await delay(200);
  }
  try {
    return await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
function tryLock(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    const holder = Number(readLock(file));
    // A holder that was killed never removes its lock.
    if (holder && !isAlive(holder)) rmSync(file, { force: true });
    return false;
  }
}

/** @param {string} file */
function readLock(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

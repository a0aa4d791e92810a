// What is running, written down: for `npm run status` and `stop`, and to end what a killed start left behind.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { isAlive, startTimeOf, stopProcess } from './processes.mjs';
import { writePrivate } from './secrets.mjs';
import { stagesDownwards } from './supervisor.mjs';

/**
 * @typedef {import('./supervisor.mjs').Recorded} Recorded
 * @typedef {{ pid: number, startTime: string, baseUrls: string[], urls?: import('./infrastructure.mjs').Urls, parts: Recorded[] }} State
 */

/**
 * @param {string} file
 * @returns {State | undefined} nothing when nothing was started, or all of it was stopped
 */
export const readState = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;

/**
 * @param {string} file
 * @param {Pick<State, 'baseUrls' | 'urls' | 'parts'>} state
 */
export function writeState(file, { baseUrls, urls, parts }) {
  writePrivate(file, {
    pid: process.pid,
    startTime: startTimeOf(process.pid),
    baseUrls,
    urls,
    parts,
  });
}

/** @param {string} file */
export const forgetState = (file) => rmSync(file, { force: true });

/**
 * Whether it is still that very process, not another with the same id.
 *
 * @param {{ pid: number, startTime: string }} recorded
 */
export const isRunning = ({ pid, startTime }) => isAlive(pid) && startTimeOf(pid) === startTime;

/**
 * Ends what a start that was killed could not end itself.
 *
 * @param {State} state
 * @returns {Promise<number>} how many processes there were
 */
export async function stopLeftovers({ parts }) {
  const left = parts.filter(isRunning);
  for (const stage of stagesDownwards(left)) {
    const ending = left.filter((part) => part.stage === stage);
    await Promise.all(
      ending.map(({ pid, stopSignal }) => stopProcess(pid, { signal: stopSignal })),
    );
  }
  return left.length;
}

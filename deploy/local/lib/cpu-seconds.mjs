// How much work a run is for the processors, whatever else keeps them busy: seconds by the clock tell that only on an idle machine.
import { readdirSync, readFileSync } from 'node:fs';

/** What Linux counts in; the kernel gives user space no other. */
const TICKS_PER_SECOND = 100;

/** Places in /proc/PID/stat after the command name: parent, own time, and that of children that have ended. */
const PARENT = 1;
const TIMES = [11, 12, 13, 14];

/** @typedef {{ pid: number, parent: number, ticks: number }} Running */

/**
 * @param {string} stat one line of /proc/PID/stat; the name of a command may hold blanks and brackets
 * @returns {Running}
 */
export function readStat(stat) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return {
    pid: Number.parseInt(stat, 10),
    parent: Number(fields[PARENT]),
    ticks: TIMES.reduce((sum, place) => sum + Number(fields[place]), 0),
  };
}

/** @returns {Running[]} none where the system has no /proc */
function everything() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap(statOf);
  } catch {
    return [];
  }
}

/** @param {string} pid */
function statOf(pid) {
  try {
    return [readStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))];
  } catch {
    // It has ended meanwhile, and its parent answers for it.
    return [];
  }
}

/**
 * The processor seconds of a process, of whatever it started, and of whatever those did, ended or not.
 *
 * @param {number} [root] its pid
 * @param {Running[]} [running] every process of the machine
 * @returns {number} zero where the system does not tell
 */
export function cpuSeconds(root = process.pid, running = everything()) {
  const family = new Set([root]);
  // Children have a higher number than their parents, but for the rare time that the numbers begin anew.
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of running) if (family.has(parent)) family.add(pid);
  }
  const ticks = running
    .filter(({ pid }) => family.has(pid))
    .reduce((sum, one) => sum + one.ticks, 0);
  return ticks / TICKS_PER_SECOND;
}

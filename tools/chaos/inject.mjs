// Doing harm to processes that this run started itself, by their ids.
import { readdirSync, readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { REDIS_MEMORY_MAX } from '../../deploy/local/redis.mjs';
import { createRandom } from '../lib/random.mjs';
import { soundAlarm } from './broker.mjs';
import { replaySome } from './replay.mjs';
import { refuse } from './store-refusals.mjs';

/** @typedef {import('./faults.mjs').Fault} Fault */
/** @typedef {{ name: string, pid: number }} Part */

/** A process that does not come back in that time has met something else. */
const REBORN_WITHIN_MS = 20_000;
const LOOK_EVERY_MS = 25;
/** How long a starving process runs at a time. */
const RATION_MS = 20;
/** How much of what was heard is sent again, twice each. */
const REPLAYED = 60;

/**
 * @param {{ seed: number, parts: () => Part[], redisUrl: string, storeUri: string, links: Awaited<ReturnType<typeof import('../lib/links.mjs').openLinks>>, tap: import('./tap.mjs').Tap,
 *   clocks?: import('./clocks.mjs').Clocks | undefined, disk?: import('./disk.mjs').Disk | undefined }} options
 *   `parts` tells what runs at the moment
 * @returns {(fault: Fault) => Promise<boolean>} resolves when the fault is over; false where it met nothing
 */
export function createInjector({ seed, parts, redisUrl, storeUri, links, tap, clocks, disk }) {
  const random = createRandom(seed, 'victims');
  // The first process of a name is the one; helpers follow it.
  const partOf = (/** @type {string} */ target) => parts().find(({ name }) => name === target);

  /** What stands where a process has died. @param {string} target @param {number} dead its pid */
  async function reborn(target, dead) {
    const until = performance.now() + REBORN_WITHIN_MS;
    while (performance.now() < until) {
      const part = partOf(target);
      if (part && part.pid !== dead) return part;
      await pause(LOOK_EVERY_MS);
    }
    return undefined;
  }

  return async function inject({ action, target, forMs }) {
    const part = partOf(target);
    if (!part) return false;
    switch (action) {
      case 'kill':
        return signal(part.pid, 'SIGKILL');
      case 'kill again': {
        if (!signal(part.pid, 'SIGKILL')) return false;
        const next = await reborn(target, part.pid);
        await pause(forMs);
        return next !== undefined && signal(next.pid, 'SIGKILL');
      }
      case 'freeze':
      case 'freeze long': {
        return freeze(part.pid, forMs);
      }
      case 'kill backend': {
        const children = childrenOf(part.pid);
        return children.length > 0 && signal(random.pick(children), 'SIGKILL');
      }
      case 'flush':
        return tellRedis(redisUrl, 'FLUSHALL');
      case 'replay':
        return replaySome(tap, random, REPLAYED);
      case 'clock':
        return clocks?.jump(target, { forMs, random }) ?? false;
      case 'disk full':
        return disk?.fill(forMs) ?? false;
      case 'alarm':
        return soundAlarm(part.pid, { of: 'memory', forMs });
      case 'full':
        return target === 'redis'
          ? fillRedis(redisUrl, forMs)
          : soundAlarm(part.pid, { of: 'disk', forMs });
      case 'starve':
        return starve(part.pid, forMs);
      case 'step down':
      case 'conflict':
      case 'unsure commit':
      case 'no disk':
      case 'slow disk':
        return refuse(storeUri, action, forMs);
      default:
        return links.harm(target, action, forMs);
    }
  };
}

/** How many faults hold a process at the moment: the first that lets go must not wake what another one holds. @type {Map<number, number>} */
const held = new Map();

/** @param {number} pid @param {number} forMs */
async function freeze(pid, forMs) {
  held.set(pid, (held.get(pid) ?? 0) + 1);
  const frozen = signal(pid, 'SIGSTOP');
  await pause(forMs);
  const others = (held.get(pid) ?? 1) - 1;
  if (others > 0) held.set(pid, others);
  else {
    held.delete(pid);
    signal(pid, 'SIGCONT');
  }
  return frozen;
}

/** Lets a process run for a tenth of the time. @param {number} pid @param {number} forMs */
async function starve(pid, forMs) {
  const until = performance.now() + forMs;
  let met = false;
  while (performance.now() < until && (await freeze(pid, RATION_MS * 9))) {
    met = true;
    await pause(RATION_MS);
  }
  return met;
}

/** Redis drops what it may drop and takes nothing more in. @param {string} url @param {number} forMs */
async function fillRedis(url, forMs) {
  const full = await tellRedis(url, 'CONFIG SET maxmemory 1mb');
  await pause(forMs);
  // One that has died comes back with what it is configured with, and one that is frozen hears of it when it wakes up.
  await tellRedis(url, `CONFIG SET maxmemory ${REDIS_MEMORY_MAX}`);
  return full;
}

/** @param {number} pid @param {NodeJS.Signals} name */
function signal(pid, name) {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** @param {number} pid @returns {number[]} */
function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => parentOf(child) === pid);
}

/** @param {number} pid */
function parentOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** @param {string} url @param {string} command @returns {Promise<boolean>} whether Redis has done it */
function tellRedis(url, command) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname, () => socket.write(`${command}\r\n`));
    socket.setTimeout(2_000, () => socket.destroy());
    socket.once('data', (answer) => {
      resolve(answer.toString().startsWith('+OK'));
      socket.end();
    });
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
  });
}

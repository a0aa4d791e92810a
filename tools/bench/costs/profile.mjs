// Where the CPU of a row goes: the inspector's profile of each service, from the first operation to the last effect.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { WebSocket } from 'undici';
import { flameOf, renderFlame } from './flame.mjs';
import { IDLE, ownUsOf, packageOf, placeOf } from './samples.mjs';

/** Lets each process choose a port for its inspector, and say which. */
export const PROFILED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' };
const LISTENING = /Debugger listening on (ws:\S+)/g;
const SAMPLE_US = 500;
const SHOWN = 30;
/** Who was busy for less than that is not shown. */
const BUSY_US_MIN = 100_000;

/**
 * @typedef {import('./samples.mjs').Profile} Profile
 * @typedef {{ name: string, call: (method: string, params?: object) => Promise<any>, close: () => void }} Inspector
 */

/**
 * The inspectors of all processes that log into a folder.
 *
 * @param {string} logs
 * @returns {Promise<Inspector[]>}
 */
export async function openInspectors(logs) {
  const found = readdirSync(logs).flatMap((file) => {
    const url = [...readFileSync(path.join(logs, file), 'utf8').matchAll(LISTENING)].at(-1)?.[1];
    return url ? [{ name: path.basename(file, '.log'), url }] : [];
  });
  return Promise.all(found.map(openInspector));
}

/** @param {{ name: string, url: string }} process @returns {Promise<Inspector>} */
async function openInspector({ name, url }) {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  /** @type {Map<number, (result: any) => void>} */
  const waiting = new Map();
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  let lastId = 0;
  /** @param {string} method @param {object} [params] */
  const call = (method, params = {}) =>
    new Promise((resolve) => {
      lastId += 1;
      waiting.set(lastId, resolve);
      socket.send(JSON.stringify({ id: lastId, method, params }));
    });
  await call('Profiler.enable');
  await call('Profiler.setSamplingInterval', { interval: SAMPLE_US });
  return { name, call, close: () => socket.close() };
}

/**
 * Profiles all of them until the function it gives is called, which writes `<row>.<process>.cpuprofile` into the folder,
 * a flame graph of it (`.svg`) for each process that was busy, and renders what these did most.
 *
 * @param {Inspector[]} inspectors
 * @returns {Promise<(folder: string, row: string) => Promise<string>>}
 */
export async function startProfiles(inspectors) {
  await Promise.all(inspectors.map(({ call }) => call('Profiler.start')));
  return async (folder, row) => {
    const profiles = await Promise.all(
      inspectors.map(async ({ name, call }) => {
        const { profile } = await call('Profiler.stop');
        const file = path.join(folder, `${row.replaceAll(/\W+/g, '-')}.${name}`);
        writeFileSync(`${file}.cpuprofile`, JSON.stringify(profile));
        const usage = usageOf(profile);
        if (usage.totalUs >= BUSY_US_MIN)
          writeFileSync(`${file}.svg`, renderFlame(`${row}, ${name}`, flameOf(profile)));
        return { name, usage };
      }),
    );
    return profiles
      .filter(({ usage }) => usage.totalUs >= BUSY_US_MIN)
      .sort((one, other) => other.usage.totalUs - one.usage.totalUs)
      .map(({ name, usage }) => renderUsage(`${row}, ${name}`, usage))
      .join('\n\n');
  };
}

/**
 * Time by itself, by package and by function.
 *
 * @param {Profile} profile
 */
function usageOf(profile) {
  const own = ownUsOf(profile);
  /** @type {Map<string, number>} */
  const packages = new Map();
  /** @type {Map<string, number>} */
  const functions = new Map();
  let totalUs = 0;
  for (const { id, callFrame } of profile.nodes) {
    const us = own.get(id) ?? 0;
    if (callFrame.functionName === IDLE || us === 0) continue;
    const place = placeOf(callFrame);
    const name = `${place} ${callFrame.functionName || '(anonymous)'}:${callFrame.lineNumber + 1}`;
    packages.set(packageOf(place), (packages.get(packageOf(place)) ?? 0) + us);
    functions.set(name, (functions.get(name) ?? 0) + us);
    totalUs += us;
  }
  return { totalUs, packages, functions };
}

/** @param {string} title @param {ReturnType<typeof usageOf>} usage */
function renderUsage(title, { totalUs, packages, functions }) {
  const most = (/** @type {Map<string, number>} */ figures) =>
    [...figures]
      .sort(([, one], [, other]) => other - one)
      .slice(0, SHOWN)
      .map(([name, us]) => `${((us / totalUs) * 100).toFixed(1).padStart(5)}  ${name}`);
  return [
    `${title}: per cent of its busy time, by package and by function`,
    ...most(packages),
    '',
    ...most(functions),
  ].join('\n');
}

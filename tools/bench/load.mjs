// A closed load: so many requests in flight, each followed by the next, for so long.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

/** The kernel counts CPU time in these. */
const TICKS_PER_SECOND = 100;
/** A warm-up goes on until it was not faster by more than `FASTER` in so many pieces of it. */
const PIECES_AS_FAST = 2;
const PIECE_MS = 300;
const FASTER = 1.1;

/**
 * @typedef {{ perSecond: number, p50Ms: number, p99Ms: number, errors: number, operations: number, cpuUs: Record<string, number>, ownUs: number, othersCores: number }} Measured `ownUs`: what the load itself took of
 *   the processors; `othersCores`: what everything else on the machine used meanwhile, the broker included
 */

/**
 * Runs `operation` with `inFlight` at once. What happens in the warm-up is not counted; where `warmUpSecondsMax` allows
 * it, a warm-up lasts for as long as the operations get faster, as they do in a process that has just been started.
 *
 * @param {{ inFlight: number, seconds: number, warmUpSeconds?: number, warmUpSecondsMax?: number, pids?: Record<string, number>, perCall?: number }} how
 * @param {(sequence: number) => Promise<unknown>} operation
 * @returns {Promise<Measured>}
 */
export async function measure(
  { inFlight, seconds, warmUpSeconds = 0.5, warmUpSecondsMax = 0, pids = {}, perCall = 1 },
  operation,
) {
  let sequence = 0;
  let succeeded = 0;
  let counting = false;
  let ending = false;
  let errors = 0;
  /** @type {number[]} */
  const durations = [];
  /** @type {unknown} */
  let firstError;
  const worker = async () => {
    while (!ending) {
      const startedAt = performance.now();
      try {
        await operation(sequence++);
        succeeded += 1;
        if (counting) durations.push(performance.now() - startedAt);
      } catch (error) {
        firstError ??= error;
        errors += 1;
      }
    }
  };
  const workers = Array.from({ length: inFlight }, worker);
  await pause(warmUpSeconds * 1_000);
  await whileFaster(() => succeeded, (warmUpSecondsMax - warmUpSeconds) * 1_000);
  const before = cpuSeconds(pids);
  const [busyBefore, ownBefore] = [busySeconds(), ownSeconds()];
  const countingSince = performance.now();
  counting = true;
  await pause(seconds * 1_000);
  // What takes longer than that is given its time.
  while (durations.length === 0 && errors === 0) await pause(10);
  counting = false;
  const elapsed = (performance.now() - countingSince) / 1_000;
  const after = cpuSeconds(pids);
  const own = ownSeconds() - ownBefore;
  const besideLoad = busySeconds() - busyBefore - own;
  ending = true;
  await Promise.all(workers);
  if (durations.length === 0) throw new Error(`nothing succeeded; the first error: ${firstError}`);
  const sorted = Float64Array.from(durations).sort();
  const operations = durations.length * perCall;
  const watched = Object.keys(pids).reduce((sum, name) => sum + after[name] - before[name], 0);
  return {
    othersCores: Math.max(0, besideLoad - watched) / elapsed,
    operations,
    errors,
    perSecond: operations / elapsed,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    ownUs: (own * 1e6) / operations,
    cpuUs: Object.fromEntries(
      Object.keys(pids).map((name) => [name, ((after[name] - before[name]) * 1e6) / operations]),
    ),
  };
}

/**
 * @param {() => number} count what grows with each operation
 * @param {number} msMax
 */
async function whileFaster(count, msMax) {
  const until = performance.now() + msMax;
  let most = 0;
  let asFast = 0;
  while (asFast < PIECES_AS_FAST && performance.now() + PIECE_MS <= until) {
    const before = count();
    await pause(PIECE_MS);
    const piece = count() - before;
    asFast = piece > most * FASTER ? 0 : asFast + 1;
    most = Math.max(most, piece);
  }
}

/**
 * @param {Float64Array} sorted
 * @param {number} share
 */
export const quantile = (sorted, share) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

/** @param {number} ms */
export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * The CPU time that processes have used so far, with those that they started themselves.
 *
 * @param {Record<string, number>} pids
 * @returns {Record<string, number>} seconds
 */
export function cpuSeconds(pids) {
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const { own, ended } = ticksOf(pid);
      const children = childrenOf(pid).map((child) => ticksOf(child).own);
      const ticks = children.reduce((sum, child) => sum + child, own + ended);
      return [name, ticks / TICKS_PER_SECOND];
    }),
  );
}

/** What all cores have been busy for: user, nice, system, irq and softirq. */
function busySeconds() {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.split(/\s+/).slice(1).map(Number);
  return [0, 1, 2, 5, 6].reduce((sum, at) => sum + (ticks[at] ?? 0), 0) / TICKS_PER_SECOND;
}

function ownSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** CPU time of a process, and of its children that have ended. @param {number} pid */
function ticksOf(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /, '');
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = stat
      .split(' ')
      .slice(11, 15)
      .map(Number);
    return { own: user + system, ended: endedUser + endedSystem };
  } catch {
    // It has just ended.
    return { own: 0, ended: 0 };
  }
}

/** The store has a process for each of its connections. @param {number} pid */
function childrenOf(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return children === '' ? [] : children.split(' ').map(Number);
}

/**
 * An HTTP client that keeps its connections; fails on any status but the expected ones.
 *
 * @param {string} baseUrl
 * @param {number} connections
 */
export function httpClient(baseUrl, connections) {
  const pool = new Pool(baseUrl, { connections, pipelining: 1 });
  /**
   * @param {'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} method
   * @param {string} path
   * @param {{ token?: string, body?: unknown, statuses?: number[], headers?: Record<string, string> }} [options]
   */
  async function request(method, path, { token, body, statuses = [200, 201], headers = {} } = {}) {
    const reply = await pool.request({
      method,
      path,
      headers: {
        ...headers,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await reply.body.text();
    if (!statuses.includes(reply.statusCode))
      throw new Error(`${method} ${path}: ${reply.statusCode} ${text.slice(0, 300)}`);
    return text === '' ? undefined : JSON.parse(text);
  }
  return { request, close: () => pool.close() };
}

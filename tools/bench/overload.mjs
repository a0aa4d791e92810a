// npm run bench -- --overload: what becomes of the platform when far more is asked of it than it can do.
//
//   npm run bench -- --overload                    256 in flight for 60 s, then twenty reads alone
//   --in-flight N  --seconds N                     another load
//   --url URL --redis URL                          against a platform that runs already
//
// A quarter creates, a quarter reads, half earns on a few wallets, by sixteen credentials of sixteen workspaces. What
// identity has answered is forgotten every five seconds, as if sessions ran out all the time. Ends with 1 where anything
// but admission control (429, 503 with Retry-After) said no, or the platform was not itself again within two seconds.
import { connect } from 'node:net';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { instanceAt, LOCAL } from '../../deploy/local/lib/paths.mjs';
import { Platform, playToTheEnd } from '../../deploy/local/lib/platform.mjs';
import { say } from '../../deploy/local/lib/progress.mjs';
import { NO_LIMITS, startGateway } from '../lib/gateway.mjs';
import { httpClient, pause, quantile } from './load.mjs';
import { newClient, prepareScene } from './subjects.mjs';

const { values: options } = parseArgs({
  options: {
    overload: { type: 'boolean' },
    'in-flight': { type: 'string', default: '256' },
    seconds: { type: 'string', default: '60' },
    url: { type: 'string' },
    redis: { type: 'string' },
  },
});
const IN_FLIGHT = Number(options['in-flight']);
const SECONDS = Number(options.seconds);
const WORKSPACES = 16;
const CLIENTS = 50;
const FORGET_MS = 5_000;
const READS_AFTER = 20;
const WELL_WITHIN_MS = 2_000;
const REFUSED_FAST_MS = 50;
const INSTANCE = instanceAt(path.join(LOCAL, 'bench'));
const platform = new Platform(INSTANCE);

/** @typedef {import('./subjects.mjs').Scene} Scene */
/** @typedef {{ status: number, ms: number, retryAfter: string | undefined, text: string }} Answer */

/** @returns {Promise<{ baseUrl: string, redisUrl: string | undefined }>} */
async function target() {
  if (options.url) return { baseUrl: options.url, redisUrl: options.redis };
  await platform.beginAnew();
  const urls = await platform.startInfrastructure();
  // Only the limits for each minute are out of the way: they would end the load before it is one.
  const baseUrl = await startGateway(platform, urls, { settings: NO_LIMITS });
  return { baseUrl, redisUrl: urls.REDIS_URL };
}

/** Makes every gateway ask identity anew. @param {string | undefined} redisUrl */
function forgetSessions(redisUrl) {
  if (redisUrl === undefined) return () => undefined;
  const { hostname, port } = new URL(redisUrl);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on('error', () => undefined).resume();
  const script = "for _, k in ipairs(redis.call('keys', 'auth:*')) do redis.call('del', k) end";
  const timer = setInterval(() => socket.write(`EVAL "${script}" 0\r\n`), FORGET_MS);
  return () => {
    clearInterval(timer);
    socket.destroy();
  };
}

/**
 * @param {Pool} pool
 * @param {Scene} scene
 * @param {number} sequence
 * @returns {Promise<Answer>}
 */
async function ask(pool, { token, workspace, clientIds }, sequence) {
  const client_id = clientIds[sequence % clientIds.length];
  const [method, place, body] =
    sequence % 4 === 0
      ? ['POST', '/clients', newClient(sequence)]
      : sequence % 4 === 1
        ? ['GET', `/clients/${client_id}`, undefined]
        : ['POST', '/loyalty/points/earn', { client_id, amount: 1 }];
  const startedAt = performance.now();
  const reply = await pool.request({
    method: /** @type {'GET' | 'POST'} */ (method),
    path: `${workspace}${place}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await reply.body.text();
  const retryAfter = /** @type {string | undefined} */ (reply.headers['retry-after']);
  return { status: reply.statusCode, ms: performance.now() - startedAt, retryAfter, text };
}

/** @param {Answer} answer */
const isRefusedForRoom = ({ status, retryAfter, text }) =>
  retryAfter !== undefined &&
  (status === 429 || (status === 503 && text.includes('too many requests are on their way')));

/** @param {Answer[]} answers @param {number} share */
const quantileMs = (answers, share) =>
  Math.round(quantile(Float64Array.from(answers.map(({ ms }) => ms)).sort(), share));

/** @param {string} baseUrl @param {Scene[]} scenes @returns {Promise<Answer[]>} */
async function overload(baseUrl, scenes) {
  const pool = new Pool(baseUrl, { connections: IN_FLIGHT, pipelining: 1 });
  /** @type {Answer[]} */
  const answers = [];
  const until = Date.now() + SECONDS * 1_000;
  let sequence = 0;
  const worker = async (/** @type {Scene} */ scene) => {
    while (Date.now() < until) {
      const answer = await ask(pool, scene, sequence++);
      answers.push(answer);
      // A client that hears when to come back comes back then.
      if (answer.retryAfter) await pause(Number(answer.retryAfter) * 1_000);
    }
  };
  const workers = Array.from({ length: IN_FLIGHT }, (_, index) =>
    worker(/** @type {Scene} */ (scenes[index % scenes.length])),
  );
  await Promise.all(workers);
  await pool.close();
  return answers;
}

/** @param {string} baseUrl @param {Scene} scene */
async function readAlone(baseUrl, scene) {
  const pool = new Pool(baseUrl, { connections: 1, pipelining: 1 });
  /** @type {Answer[]} */
  const answers = [];
  for (let read = 0; read < READS_AFTER; read += 1)
    answers.push(await ask(pool, scene, 4 * read + 1));
  await pool.close();
  return answers;
}

/** Every change that was answered, and how many of them the log shows. @param {string} baseUrl @param {Scene} scene */
async function auditEntries(baseUrl, { token, workspace }) {
  const http = httpClient(baseUrl, 1);
  let count = 0;
  for (let cursor = ''; ; ) {
    const { data, meta } = await http.request('GET', `${workspace}/audit-log?limit=100${cursor}`, {
      token,
    });
    count += data.length;
    if (!meta.next_cursor) break;
    cursor = `&cursor=${encodeURIComponent(meta.next_cursor)}`;
  }
  await http.close();
  return count;
}

async function main() {
  const { baseUrl, redisUrl } = await target();
  const http = httpClient(baseUrl, 8);
  /** @type {Scene[]} */
  const scenes = [];
  for (let made = 0; made < WORKSPACES; made += 1) scenes.push(await prepareScene(http, CLIENTS));
  await http.close();
  const [first] = scenes;
  if (!first) return;
  const before = await Promise.all(scenes.map((scene) => auditEntries(baseUrl, scene)));
  const remember = forgetSessions(redisUrl);
  const answers = await overload(baseUrl, scenes);
  const endedAt = performance.now();
  const after = await readAlone(baseUrl, first);
  const wellAfterMs = Math.round(performance.now() - endedAt);
  remember();
  report(answers, after, wellAfterMs);
  const changes = answers.filter(({ status }) => status === 201).length;
  const counts = await Promise.all(scenes.map((scene) => auditEntries(baseUrl, scene)));
  const noted = counts.reduce((sum, count, index) => sum + count - (before[index] ?? 0), 0);
  say(`${changes} answered changes made with these, ${noted} new entries in the audit logs`);
  if (noted < changes) process.exitCode = 1;
}

/** @param {Answer[]} answers @param {Answer[]} after @param {number} wellAfterMs */
function report(answers, after, wellAfterMs) {
  const good = answers.filter(({ status }) => status < 300);
  const refused = answers.filter(isRefusedForRoom);
  const wrong = answers.filter((answer) => answer.status >= 300 && !isRefusedForRoom(answer));
  const full = refused.filter(({ ms }) => ms < REFUSED_FAST_MS).length;
  say(
    `${IN_FLIGHT} in flight for ${SECONDS} s: ${(good.length / SECONDS).toFixed(0)} good answers a second`,
  );
  say(
    `  p50 ${quantileMs(good, 0.5)} ms, p99 ${quantileMs(good, 0.99)} ms, slowest ${quantileMs(good, 1)} ms`,
  );
  say(`  ${refused.length} refused for want of room, ${full} of them within ${REFUSED_FAST_MS} ms`);
  say(`  ${wrong.length} refused or failed otherwise`);
  for (const { status, text } of wrong.slice(0, 5)) say(`    ${status} ${text.slice(0, 200)}`);
  const well = after.filter(({ status }) => status < 300);
  say(`afterwards ${well.length} of ${after.length} reads were well, all within ${wellAfterMs} ms`);
  if (wrong.length > 0 || well.length < after.length || wellAfterMs > WELL_WITHIN_MS)
    process.exitCode = 1;
}

await playToTheEnd(() => platform, main);

// npm run drill: a restore for real. Load runs while all databases are saved; then everything is destroyed, restored from
// what was saved as if two days had passed, and replayed; then each acknowledged operation is looked for, and what clients
// repeat is repeated.
//
//   npm run drill                       20 seconds of load
//   npm run drill -- --seconds 60       how long
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { helpIfAsked } from '../../deploy/local/lib/help.mjs';
import { instanceAt, LOCAL, ROOT, shown } from '../../deploy/local/lib/paths.mjs';
import { GATEWAY } from '../../deploy/local/lib/placement.mjs';
import { Platform, playToTheEnd } from '../../deploy/local/lib/platform.mjs';
import { say } from '../../deploy/local/lib/progress.mjs';
import { serviceNames } from '../../deploy/local/lib/workspace.mjs';
import { NO_LIMITS, startGateway } from '../lib/gateway.mjs';
import { createClient } from './client.mjs';
import { AGE_MS, countPublished, makeOlder, untilSwept } from './drill/aged.mjs';
import { earn, load, prepareScene, WORKERS } from './drill/load.mjs';
import { forgetForeignServers } from './foreign-servers.mjs';
import { createHttp } from './http.mjs';
import { openStore } from './store.mjs';
import { untilDrained } from './watch.mjs';

helpIfAsked();

const INSTANCE = instanceAt(path.join(LOCAL, 'drill'));
const BACKUP = path.join(INSTANCE.base, 'backup');
const PREFIX = 'drill_';
const SETTINGS = { ...NO_LIMITS, MONGODB_DATABASE_PREFIX: PREFIX };
const KEEPING = serviceNames().filter((name) => name !== GATEWAY);

/** @typedef {import('./drill/load.mjs').Acknowledged} Acknowledged */
/** @typedef {import('./drill/load.mjs').Scene} Scene */

/** Faults are none of this: a process that dies fails the drill. */
let platform = new Platform(INSTANCE);

/** What the documents say to type, against the servers of the drill. @param {string} uri @param {string[]} args */
async function command(uri, ...args) {
  const [file = '', ...rest] = args;
  const { stdout } = await promisify(execFile)(process.execPath, [path.join(ROOT, file), ...rest], {
    env: { ...process.env, MONGODB_URI: uri, MONGODB_DATABASE_PREFIX: PREFIX },
  });
  return stdout.trim();
}

/** @param {import('./store.mjs').Store} store */
async function drained(store) {
  const broker = () => Number(platform.parts().find(({ name }) => name === 'rabbitmq')?.pid);
  const { waiting, afterMs } = await untilDrained(store, broker);
  if (Object.keys(waiting).length > 0) throw new Error(`never drained: ${JSON.stringify(waiting)}`);
  return afterMs;
}

/** Entries, and those of them whose event had left without having been handled by the trail. @param {MongoClient} mongo */
async function standing(mongo) {
  const of = (/** @type {string} */ service, /** @type {string} */ name) =>
    mongo.db(`${PREFIX}${service}`).collection(/** @type {any} */ (name));
  const entries = await of('ledger', 'entries').find().toArray();
  const inbox = await of('clients', 'inbox')
    .find({ _id: /** @type {any} */ (/^clients\.trail:/) })
    .toArray();
  const handled = new Set(inbox.map(({ _id }) => String(_id).split(':')[1]));
  const trail = await of('clients', 'events')
    .find({ event_type: /points/ })
    .toArray();
  return {
    entries,
    trail: trail.length,
    unpublished: entries.filter(({ unrelayed }) => unrelayed).length,
    lost: entries.filter(({ _id, unrelayed }) => !unrelayed && !handled.has(String(_id))).length,
    unhandled: entries.filter(({ _id }) => !handled.has(String(_id))).length,
  };
}

/** @param {readonly Acknowledged[]} some @param {ReadonlySet<string>} ids */
const missing = (some, ids) => some.filter(({ entry }) => !ids.has(entry)).length;

/** @param {ReturnType<typeof createHttp>} http @param {Scene} scene @param {string} name */
async function proven(http, scene, name) {
  const place = `${scene.path}/loyalty/points`;
  const { body } = await http.attempt(`${place}/verify`, {
    method: 'POST',
    body: {},
    token: scene.token,
  });
  const exported = await fetch(`${http.baseUrl}${place}/ledger/export`, {
    headers: { authorization: `Bearer ${scene.token}` },
  });
  const file = path.join(INSTANCE.base, `${name}.ndjson`);
  writeFileSync(file, await exported.text());
  const { stdout } = await promisify(execFile)(process.execPath, [
    path.join(ROOT, 'packages/ledger-verifier/bin/laurel-verify.js'),
    file,
  ]);
  return { valid: body?.data?.valid === true, verdict: stdout.split('\n')[0] };
}

async function start() {
  const urls = await platform.startInfrastructure();
  const gateway = () => startGateway(platform, urls, { settings: SETTINGS });
  return { urls, gateway };
}

/** @param {string} baseUrl */
function open(baseUrl) {
  const http = { ...createHttp([baseUrl], WORKERS), baseUrl };
  const asClient = (/** @type {string} */ token) =>
    createClient({
      door: http,
      token,
      givesUpAt: () => Number.POSITIVE_INFINITY,
      onAttempt: () => {},
    });
  return { http, asClient };
}

/** @param {number} seconds */
async function runAndSave(seconds) {
  const { urls, gateway } = await start();
  const { http, asClient } = open(await gateway());
  const scene = await prepareScene(http);
  const ending = new AbortController();
  const loading = load(asClient(scene.token), scene, ending.signal);
  // Its failure comes out where it is waited for.
  loading.catch(() => undefined);
  await pause((seconds * 1_000) / 2);
  const saveBegan = Date.now();
  const saved = await command(
    urls.MONGODB_URI,
    'packages/backend/dist/backup-cli.js',
    'save',
    BACKUP,
    ...KEEPING,
  );
  const saveEnded = Date.now();
  await pause((seconds * 1_000) / 2);
  ending.abort();
  const acknowledged = await loading;
  await http.close();
  await platform.stop();
  return { scene, acknowledged, saveBegan, saveEnded, saved };
}

/**
 * Only now, that every queue is there: what left before it was bound reached those that were, and no other.
 *
 * @param {string} uri
 * @param {number} saveBegan
 */
async function replay(uri, saveBegan) {
  const from = new Date(saveBegan - 2 * 3_600_000 - AGE_MS).toISOString();
  const told = await command(
    uri,
    'packages/backend/dist/backup-cli.js',
    'replay',
    from,
    ...KEEPING,
  );
  return [...told.matchAll(/: (\d+) events/g)].reduce((sum, [, n]) => sum + Number(n), 0);
}

/** @param {string} uri */
async function restore(uri) {
  const since = Date.now();
  const restored = await command(uri, 'packages/backend/dist/backup-cli.js', 'restore', BACKUP);
  for (const service of KEEPING)
    await command(uri, 'packages/backend/dist/indexes-cli.js', 'apply', `services/${service}`);
  const restoredInMs = Date.now() - since;
  const mongo = await new MongoClient(uri).connect();
  const found = await standing(mongo);
  const aged = { mongo, prefix: PREFIX, services: KEEPING };
  await makeOlder(aged);
  return { restored, found, aged, restoredInMs };
}

async function main() {
  const { values } = parseArgs({ options: { seconds: { type: 'string', default: '20' } } });
  forgetForeignServers();
  rmSync(BACKUP, { recursive: true, force: true });
  mkdirSync(BACKUP, { recursive: true });
  await platform.beginAnew();
  const { scene, acknowledged, saveBegan, saveEnded, saved } = await runAndSave(
    Number(values.seconds),
  );

  say('\nEverything is destroyed: databases, broker, Redis.');
  rmSync(INSTANCE.data, { recursive: true, force: true });
  platform = new Platform(INSTANCE);
  await platform.claim();
  const { urls, gateway } = await start();
  const { restored, found, aged, restoredInMs } = await restore(urls.MONGODB_URI);
  const { mongo } = aged;
  const left = await countPublished(aged);
  const startedAt = Date.now();
  const { http, asClient } = open(await gateway());
  await untilSwept(aged, startedAt);
  const kept = await countPublished(aged);
  const events = await replay(urls.MONGODB_URI, saveBegan);
  const store = openStore(urls.MONGODB_URI, PREFIX, serviceNames());
  const drainedAfterMs = await drained(store);
  const afterwards = await standing(mongo);
  const before = await proven(http, scene, 'restored');

  const ids = new Set(afterwards.entries.map(({ _id }) => String(_id)));
  const surely = acknowledged.filter(({ endedAt }) => endedAt < saveBegan);
  const later = acknowledged.filter(({ begunAt }) => begunAt > saveEnded);
  // What a till does that has no answer: all of its day, each under its own key.
  const client = asClient(scene.token);
  for (const operation of acknowledged) await earn(client, operation);
  await drained(store);
  const repeated = await standing(mongo);
  const after = await proven(http, scene, 'repeated');
  const owed = acknowledged.reduce((sum, { amount }) => sum + amount, 0);

  say(
    `\nLoad      ${acknowledged.length} earns acknowledged; ${surely.length} before the backup began, ${later.length} begun after it`,
  );
  say(`Backup    ${saved}; ${saveEnded - saveBegan} ms under load`);
  say(
    `Restore   ${restored}; indexes included ${restoredInMs} ms; drained ${drainedAfterMs} ms after the replay`,
  );
  say(
    `Found     ${found.entries.length} entries: ${found.unpublished} not published, ${found.lost} published and not handled`,
  );
  say(`Kept      ${kept} of ${left} events that had left, looked after by restored services`);
  say(
    `Replay    ${events} events left again; ${afterwards.unhandled} entries unhandled afterwards, ${afterwards.trail} in the trail`,
  );
  say(`Verify    ${before.verdict}`);
  say(
    `Repeated  ${repeated.entries.length} entries, ${repeated.trail} in the trail; ${after.verdict}`,
  );

  /** @type {[boolean, string][]} */
  const promises = [
    [missing(surely, ids) === 0, 'what was acknowledged before the backup is there'],
    [missing(later, ids) === later.length, 'what came after it is gone, as was to be expected'],
    [
      found.lost + found.unpublished > 0,
      'there was something to replay (else the drill proves little: run it longer)',
    ],
    [
      left > 0 && kept >= left,
      'what had left was still there for the replay, two days after the backup',
    ],
    [afterwards.unhandled === 0, 'every event was handled in the end'],
    [afterwards.trail === afterwards.entries.length, 'each once'],
    [before.valid && after.valid, 'the ledger is sound'],
    [
      repeated.entries.length === acknowledged.length,
      'what clients repeat is applied once, and only what was lost',
    ],
    [repeated.trail === acknowledged.length, 'and told once'],
    [
      sumOf(repeated.entries) === owed * 10_000,
      `and comes to the ${owed} points that were acknowledged`,
    ],
  ];
  say(promises.map(([holds, what]) => `${holds ? '✓' : '✗'} ${what}`).join('\n'));
  if (promises.some(([holds]) => !holds)) process.exitCode = 1;
  say(`\n${shown(INSTANCE.base)}/ holds the backup and both exports.`);
  await Promise.all([mongo.close(), store.close(), http.close()]);
}

/** In the store's own units. @param {readonly any[]} entries */
const sumOf = (entries) => entries.reduce((sum, { change }) => sum + Number(change.active), 0);

await playToTheEnd(() => platform, main);

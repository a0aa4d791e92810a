// npm run bench: how fast the platform is, beside what the machine could do at all, in the same run.
//
//   npm run bench                       every subject at 1, 8 and 32 in flight
//   npm run bench -- --quick            32 in flight (and what needs 1), short
//   npm run bench -- --mode one         all services in one process, as npm start runs them; each: a process each; both is the default
//   npm run bench -- --rows earn,spend  some of the platform's rows
//   npm run bench -- --seconds 20       each row for so long, where 0.7 (--quick) or 4 tell too little
//   npm run bench -- --profile FOLDER   profiles and flame graphs of each row as well, and what it did most; the figures are dearer by it
//   npm run bench -- --json FILE        the figures as JSON as well
//   npm run bench -- --million          over a million clients; has options of its own, see million/run.mjs
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { instanceAt, LOCAL, ROOT } from '../../deploy/local/lib/paths.mjs';
import { Platform, playToTheEnd } from '../../deploy/local/lib/platform.mjs';
import { freePort } from '../../deploy/local/lib/ports.mjs';
import { say } from '../../deploy/local/lib/progress.mjs';
import { runtimeFor } from '../../deploy/local/lib/runtime.mjs';
import { NO_LIMITS, startGateway } from '../lib/gateway.mjs';
import { untilAtRest } from './at-rest.mjs';
import { openInspectors, PROFILED, startProfiles } from './costs/profile.mjs';
import { moreSubjectsOf } from './costs/subjects.mjs';
import { openStoreFloor } from './floors/store.mjs';
import { stubClient } from './floors/stub.mjs';
import { httpClient, measure } from './load.mjs';
import { DIRECT, goalsOf, renderGoals, renderRows } from './report.mjs';
import { processesIn } from './services.mjs';
import { measureFanOut, onlyRowsOf, prepareScene, rowsIn, subjectsOf } from './subjects.mjs';

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    mode: { type: 'string', default: 'both' },
    rows: { type: 'string' },
    seconds: { type: 'string' },
    profile: { type: 'string' },
    json: { type: 'string' },
  },
});
const INSTANCE = instanceAt(path.join(LOCAL, 'bench'));
const LEVELS = options.quick ? [32] : [1, 8, 32];
const SECONDS = Number(options.seconds ?? (options.quick ? 0.7 : 4));
/** The compiler of a process that has just been started takes seconds, and eleven processes take them one by one. */
const WARM_UP_SECONDS_MAX = 8;
const TOP = 32;
/** As a row of `--rows`. */
const FAN_OUT = 'webhooks';
/** The platform's rows, in their order. */
const ROWS = [
  'earn',
  'spend',
  'earn, one hot wallet',
  'spend, one hot wallet',
  'earn, batches of 100 (entries)',
  'create client',
  'get client',
  'list 20 clients',
  'search clients',
  'list 20 ledger entries',
  'post event, no rule',
  'post event, ten rules, one fires',
  'redeem',
];
/** What a mode is called in the tables, and whether its services have a process each. */
const MODES = {
  one: { mode: 'one process', processes: false },
  each: { mode: 'a process each', processes: true },
};
const modes = Object.entries(MODES)
  .filter(([name]) => ['both', name].includes(options.mode))
  .map(([, mode]) => mode);
const wanted = options.rows === undefined ? undefined : rowsIn(options.rows);
onlyRowsOf(wanted ?? [], [...ROWS, DIRECT, FAN_OUT]);
if (!(SECONDS > 0)) throw new Error('--seconds takes a number above 0');

let platform = new Platform(INSTANCE);
/** @type {import('./report.mjs').Row[]} */
const rows = [];
/** @type {Record<string, Awaited<ReturnType<typeof measureFanOut>>>} */
const fanOuts = {};

/**
 * @param {string[]} args
 * @returns {Promise<import('node:child_process').ChildProcess>}
 */
async function startFloor(args) {
  const child = spawn(runtimeFor(), [path.join(ROOT, 'tools/bench/floors/stub.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return child;
}

/**
 * @param {string} name
 * @param {number[]} levels
 * @param {Record<string, number>} pids
 * @param {import('./subjects.mjs').Subject} subject
 * @param {string} [mode] none for a floor
 */
async function add(name, levels, pids, { operation, perCall = 1 }, mode = '') {
  for (const inFlight of levels) {
    await untilAtRest(pids);
    const measured = await measure(
      {
        inFlight,
        seconds: SECONDS,
        warmUpSeconds: options.quick ? 0.2 : 1,
        warmUpSecondsMax: WARM_UP_SECONDS_MAX,
        pids,
        perCall,
      },
      operation,
    );
    rows.push({ name, mode, inFlight, measured });
    say(`  ${name}, ${inFlight} in flight: ${measured.perSecond.toFixed(0)}/s`);
  }
}

async function measureShapeFloors() {
  const [grpcPort, httpPort] = [await freePort(), await freePort()];
  const grpcServer = await startFloor(['grpc', String(grpcPort)]);
  const httpServer = await startFloor(['http', String(httpPort), String(grpcPort)]);
  const pids = { http: Number(httpServer.pid), grpc: Number(grpcServer.pid) };
  const http = httpClient(`http://127.0.0.1:${httpPort}`, TOP);
  const grpc = stubClient(`127.0.0.1:${grpcPort}`);
  const body = { workspace_id: 'w', client_id: 'c', amount: 1, description: 'bench' };
  try {
    await add('bare express', LEVELS, pids, {
      operation: () => http.request('POST', '/bare', { body }),
    });
    await add('bare gRPC echo', LEVELS, pids, { operation: () => grpc.earn(body) });
    await add('express -> gRPC stub', LEVELS, pids, {
      operation: () => http.request('POST', '/stub', { body }),
    });
  } finally {
    await http.close();
    grpc.close();
    httpServer.kill();
    grpcServer.kill();
  }
}

/**
 * The same read without the gateway: what its guards, limits and checks cost is the difference.
 *
 * @param {import('./subjects.mjs').Scene} scene
 * @param {Record<string, number>} pids
 * @param {string} mode
 */
async function measureDirect({ workspace, clientIds }, pids, mode) {
  const { createRpcClient } = createRequire(import.meta.url)(
    path.join(ROOT, 'packages/rpc/dist/index.js'),
  );
  const target = platform.targets.CLIENTS_GRPC_TARGET;
  const clients = createRpcClient('clients', { target });
  const workspaceId = workspace.split('/').at(-1);
  const operation = (/** @type {number} */ sequence) =>
    clients.GetClient({ workspace_id: workspaceId, id: clientIds[sequence % clientIds.length] });
  await add(DIRECT, options.quick ? [1] : LEVELS, pids, { operation }, mode);
  clients.close();
}

async function measureFloors(/** @type {string} */ storeUrl) {
  say('\nFloors');
  await measureShapeFloors();
  const store = await openStoreFloor(storeUrl, `bench_floor_${process.pid}`);
  for (const [name, subject] of Object.entries(store.operations))
    await add(name, LEVELS, processesIn(INSTANCE), subject);
  await store.close();
}

/**
 * @param {Awaited<ReturnType<Platform['startInfrastructure']>>} urls
 * @param {(typeof modes)[number]} how
 */
async function measurePlatform(urls, { mode, processes }) {
  const baseUrl = await startGateway(platform, urls, {
    processes,
    settings: { ...NO_LIMITS, ...(options.profile ? PROFILED : {}) },
  });
  const http = httpClient(baseUrl, TOP);
  const scene = await prepareScene(http);
  const pids = processesIn(INSTANCE);
  const inspectors = options.profile ? await openInspectors(INSTANCE.logs) : [];
  const subjects = { ...subjectsOf(http, scene), ...(await moreSubjectsOf(http, scene)) };
  say(`\nThe platform, ${mode}`);
  for (const name of ROWS.filter((row) => wanted?.includes(row) ?? true)) {
    const subject = subjects[name];
    if (!subject) throw new Error(`nothing to measure is called ${name}`);
    const levels = subject.perCall
      ? [4]
      : name === 'get client' && options.quick
        ? [1, TOP]
        : LEVELS;
    const endProfiles = options.profile ? await startProfiles(inspectors) : undefined;
    await add(name, levels, pids, subject, mode);
    if (endProfiles)
      say(`\n${await endProfiles(/** @type {string} */ (options.profile), `${name} ${mode}`)}\n`);
  }
  for (const { close } of inspectors) close();
  if (!wanted || wanted.includes(DIRECT)) await measureDirect(scene, pids, mode);
  if (!wanted || wanted.includes(FAN_OUT)) {
    await untilAtRest(pids);
    fanOuts[mode] = await measureFanOut(http, scene, {
      events: options.quick ? 1_000 : 20_000,
      pids,
    });
  }
  await http.close();
}

async function main() {
  if (options.profile) mkdirSync(options.profile, { recursive: true });
  for (const [index, how] of modes.entries()) {
    if (index > 0) {
      await platform.stop();
      platform = new Platform(INSTANCE);
    }
    await platform.beginAnew();
    const urls = await platform.startInfrastructure();
    if (index === 0) await measureFloors(urls.MONGODB_URI);
    await measurePlatform(urls, how);
  }
  say(`\n${renderRows(rows)}\n`);
  for (const [mode, fanOut] of Object.entries(fanOuts))
    say(
      `Webhooks, ${mode}: ${fanOut.delivered} delivered while they were earned, the last ${fanOut.secondsAfterLastEarn.toFixed(2)} s after the last earn; the same again by a replay at ${fanOut.deliveriesPerSecond.toFixed(0)}/s, CPU us each: ${Object.entries(
        fanOut.cpuUs,
      )
        .filter(([, us]) => us >= 1)
        .map(([name, us]) => `${name} ${us.toFixed(0)}`)
        .join(', ')}.\n`,
    );
  const goals = modes.flatMap(({ mode }) =>
    goalsOf({ rows, mode, inFlight: TOP, fanOut: fanOuts[mode] }),
  );
  say(renderGoals(goals));
  if (options.json)
    writeFileSync(
      options.json,
      `${JSON.stringify({ at: new Date().toISOString(), rows, fanOuts, goals }, null, 2)}\n`,
    );
}

void playToTheEnd(() => platform, main);

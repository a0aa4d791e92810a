// npm run bench -- --costs: what an operation asks of the store, the broker and the CPU, with all that follows from it.
//
//   --rows earn,spend     only these rows
//   --operations 640      how many of each
//   --commands            which commands they were, too
//   --profile FOLDER      profiles of each row and service as well, and what they did most; the CPU figures are dearer by it
//   --json FILE           the figures as JSON as well
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { instanceAt, LOCAL } from '../../../deploy/local/lib/paths.mjs';
import { Platform, playToTheEnd } from '../../../deploy/local/lib/platform.mjs';
import { say } from '../../../deploy/local/lib/progress.mjs';
import { NO_LIMITS, startGateway } from '../../lib/gateway.mjs';
import { cpuSeconds, httpClient, pause } from '../load.mjs';
import { processesIn } from '../services.mjs';
import { onlyRowsOf, prepareScene, rowsIn, subjectsOf } from '../subjects.mjs';
import { watchBroker } from './broker-counts.mjs';
import { peopleOf } from './people.mjs';
import { openInspectors, PROFILED, startProfiles } from './profile.mjs';
import { openRelayPort } from './relay-port.mjs';
import { renderCommands, renderCosts } from './report.mjs';
import { watchStore } from './store-counts.mjs';
import { moreSubjectsOf, replaysOf } from './subjects.mjs';

const { values: options } = parseArgs({
  options: {
    costs: { type: 'boolean' },
    rows: { type: 'string' },
    operations: { type: 'string', default: '640' },
    replicas: { type: 'string', default: '1' },
    commands: { type: 'boolean', default: false },
    profile: { type: 'string' },
    json: { type: 'string' },
  },
});
const OPERATIONS = Number(options.operations);
const IN_FLIGHT = 32;
const REST_MS = 15_000;
/** Nothing but what happens at rest, for so long: then all is done that follows from the operations. */
const QUIET_MS = 1_500;
const QUIET_COMMANDS_MAX = 20;
const QUIET_WITHIN_MS = 120_000;
const REPLAY = 'webhooks sent again (deliveries)';
const ROWS = [
  'earn',
  'spend',
  'create client',
  'get client',
  'list 20 clients',
  'earn, batches of 100 (entries)',
  'post event, no rule',
  'post event, ten rules, one fires',
  'post event, one rule with limits',
  'redeem',
  'create client and merge it into another',
  'join by a form',
  'points at the till',
  REPLAY,
];
const INSTANCE = instanceAt(path.join(LOCAL, 'bench'));
const asked = options.rows === undefined ? ROWS : rowsIn(options.rows);
onlyRowsOf(asked, ROWS);
const platform = new Platform(INSTANCE);
/** @type {import('./store-counts.mjs').StoreCounts} */
const store = new Map();
/** @type {import('./broker-counts.mjs').BrokerCounts} */
const broker = { published: 0, delivered: 0 };

/**
 * @typedef {{ elapsedMs: number, store: import('./store-counts.mjs').StoreCounts, published: number, delivered: number, cpu: Record<string, number> }} Used
 * @typedef {{ name: string, operations: number, used: Used }} CostRow
 */

/**
 * What is used from the call of this function to the call of what it gives.
 *
 * @param {Record<string, number>} pids
 * @returns {() => Used}
 */
function startCounting(pids) {
  store.clear();
  const before = { ...broker, cpu: cpuSeconds(pids), at: performance.now() };
  return () => {
    const after = cpuSeconds(pids);
    return {
      elapsedMs: performance.now() - before.at,
      store: new Map([...store].map(([key, count]) => [key, { ...count }])),
      published: broker.published - before.published,
      delivered: broker.delivered - before.delivered,
      cpu: Object.fromEntries(
        Object.keys(pids).map((name) => [name, (after[name] ?? 0) - (before.cpu[name] ?? 0)]),
      ),
    };
  };
}

const commandsSoFar = () => [...store.values()].reduce((sum, { commands }) => sum + commands, 0);

async function untilQuiet() {
  const deadline = performance.now() + QUIET_WITHIN_MS;
  for (;;) {
    const before = commandsSoFar();
    await pause(QUIET_MS);
    if (commandsSoFar() - before <= QUIET_COMMANDS_MAX) return;
    if (performance.now() > deadline) throw new Error('the platform does not come to rest');
  }
}

/**
 * @param {number} calls
 * @param {number} inFlight
 * @param {(sequence: number) => Promise<unknown>} operation
 */
async function runAll(calls, inFlight, operation) {
  let next = 0;
  const worker = async () => {
    while (next < calls) await operation(next++);
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
}

/** Takes off what the platform would have used in that time anyway. @param {Used} used @param {Used} rest @returns {Used} */
function withoutRest(used, rest) {
  const share = used.elapsedMs / rest.elapsedMs;
  const less = (/** @type {number} */ one, /** @type {number | undefined} */ other) =>
    Math.max(0, one - (other ?? 0) * share);
  return {
    elapsedMs: used.elapsedMs,
    store: new Map(
      [...used.store].map(([key, count]) => [
        key,
        { ...count, commands: less(count.commands, rest.store.get(key)?.commands) },
      ]),
    ),
    published: less(used.published, rest.published),
    delivered: less(used.delivered, rest.delivered),
    cpu: Object.fromEntries(
      Object.entries(used.cpu).map(([name, seconds]) => [name, less(seconds, rest.cpu[name])]),
    ),
  };
}

/** @param {import('../../../deploy/local/lib/infrastructure.mjs').Urls} urls @returns {Promise<string>} */
async function startWatched(urls) {
  const addressOf = (/** @type {string} */ url) => {
    const [, host = '', port = ''] = /@?([\d.a-z]+):(\d+)(?=[/?]|$)/.exec(url) ?? [];
    return { host, port: Number(port) };
  };
  const moved = (/** @type {string} */ url, /** @type {number} */ port) =>
    url.replace(/([\d.a-z]+):(\d+)(?=[/?]|$)/, `127.0.0.1:${port}`);
  const storePort = await openRelayPort(addressOf(urls.MONGODB_URI), () => watchStore(store));
  const brokerPort = await openRelayPort(addressOf(urls.RABBITMQ_URL), () => watchBroker(broker));
  return startGateway(platform, urls, {
    processes: true,
    replicas: Number(options.replicas),
    settings: {
      ...NO_LIMITS,
      ...(options.profile ? PROFILED : {}),
      MONGODB_URI: moved(urls.MONGODB_URI, storePort.port),
      RABBITMQ_URL: moved(urls.RABBITMQ_URL, brokerPort.port),
    },
  });
}

async function main() {
  await platform.beginAnew();
  const urls = await platform.startInfrastructure();
  const http = httpClient(await startWatched(urls), IN_FLIGHT);
  const scene = await prepareScene(http);
  const replays = await replaysOf(http);
  const subjects = {
    ...subjectsOf(http, scene),
    ...(await moreSubjectsOf(http, scene)),
    ...(await peopleOf(http, scene)),
    [REPLAY]: replays,
  };
  const pids = processesIn(INSTANCE);
  await untilQuiet();
  const endRest = startCounting(pids);
  await pause(REST_MS);
  const rest = endRest();
  if (options.profile) mkdirSync(options.profile, { recursive: true });
  const inspectors = options.profile ? await openInspectors(INSTANCE.logs) : [];
  /** @type {CostRow[]} */
  const rows = [];
  for (const name of ROWS.filter((row) => asked.includes(row))) {
    const subject = subjects[name];
    if (!subject) throw new Error(`nothing to measure is called ${name}`);
    const { operation, perCall = 1, oneByOne } = subject;
    const calls = oneByOne ?? Math.ceil(OPERATIONS / Math.min(perCall, 10));
    const inFlight = oneByOne ? 1 : perCall === 1 ? IN_FLIGHT : 4;
    await runAll(Math.ceil(calls / 10), inFlight, operation);
    await untilQuiet();
    const endProfiles = await startProfiles(inspectors);
    const end = startCounting(pids);
    await runAll(calls, inFlight, operation);
    await untilQuiet();
    rows.push({ name, operations: calls * perCall, used: withoutRest(end(), rest) });
    if (options.profile) say(`\n${await endProfiles(options.profile, name)}\n`);
    say(`  ${name}: counted`);
  }
  for (const inspector of inspectors) inspector.close();
  replays.close();
  await http.close();
  say(`\n${renderCosts(rows)}\n`);
  if (options.commands) say(`${renderCommands(rows)}\n`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(plain(rows), null, 2)}\n`);
}

/** @param {CostRow[]} rows */
const plain = (rows) =>
  rows.map(({ used, ...row }) => ({
    ...row,
    used: { ...used, store: Object.fromEntries(used.store) },
  }));

void playToTheEnd(() => platform, main);

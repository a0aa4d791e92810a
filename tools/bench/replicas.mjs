// npm run bench -- --replicas: what a second of CPU brings with one, two and four replicas of everything.
//
//   npm run bench -- --replicas                    one, two and four, each a process with every service
//   npm run bench -- --replicas --counts 1,2       others
//   npm run bench -- --replicas --rows earn        some of the rows
//   npm run bench -- --replicas --late 1           store, broker and Redis a millisecond away, each way
//   npm run bench -- --replicas --json FILE        the figures as JSON as well
//
// Replicas of one machine share its cores, so that a rate says nothing of how it grows with more machines. What an operation costs does:
// while it stays the same, twice the cores bear twice the load, as far as the store does.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { instanceAt, LOCAL } from '../../deploy/local/lib/paths.mjs';
import { say } from '../../deploy/local/lib/progress.mjs';
import { untilAtRest } from './at-rest.mjs';
import { cpuSeconds, httpClient, measure } from './load.mjs';
import { playWithServices, prepareRows, processesIn } from './services.mjs';
import { rowsIn } from './subjects.mjs';

const { values: options } = parseArgs({
  options: {
    replicas: { type: 'boolean' },
    counts: { type: 'string', default: '1,2,4' },
    rows: { type: 'string', default: 'earn,spend,create client,get client,redeem' },
    seconds: { type: 'string', default: '6' },
    late: { type: 'string', default: '0' },
    json: { type: 'string' },
  },
});
/** For each replica: more of them are started for more load, and what waits together goes in together. */
const IN_FLIGHT = 32;
/** Each process has its own compiler to warm. */
const WARM_UP_SECONDS = 4;
const WARM_UP_SECONDS_MAX = 12;
const INSTANCE = instanceAt(path.join(LOCAL, 'bench'));
const counts = options.counts.split(',').map(Number);
const names = rowsIn(options.rows);

/** @typedef {{ replicas: number, name: string, perSecond: number, perCpuSecond: number, services: number, store: number, errors: number }} Row CPU in ms of an operation, what follows from it included */

/**
 * Asks gateway after gateway, as a balancer does.
 *
 * @param {string[]} baseUrls
 */
function balanced(baseUrls) {
  const clients = baseUrls.map((url) => httpClient(url, IN_FLIGHT));
  let turn = 0;
  /** @type {(typeof clients)[number]['request']} */
  const request = (...asked) => clients[turn++ % clients.length].request(...asked);
  return {
    ...clients[0],
    request,
    close: async () => {
      for (const client of clients) await client.close();
    },
  };
}

/**
 * @param {{ pids: Record<string, number>, inFlight: number }} around
 * @param {string} name
 * @param {(sequence: number) => Promise<unknown>} operation
 * @returns {Promise<Omit<Row, 'replicas'>>}
 */
async function measureRow({ pids, inFlight }, name, operation) {
  const warm = { warmUpSeconds: WARM_UP_SECONDS, warmUpSecondsMax: WARM_UP_SECONDS_MAX };
  await measure({ inFlight, seconds: 1, ...warm }, operation);
  await untilAtRest(pids);
  const before = cpuSeconds(pids);
  const how = { inFlight, seconds: Number(options.seconds), warmUpSeconds: 0 };
  const { operations, perSecond, errors } = await measure(how, operation);
  await untilAtRest(pids);
  const after = cpuSeconds(pids);
  const used = (/** @type {(process: string) => boolean} */ counts) =>
    Object.keys(pids)
      .filter(counts)
      .reduce((sum, process) => sum + (after[process] ?? 0) - (before[process] ?? 0), 0);
  const isStore = (/** @type {string} */ process) => /documentdb|mongo|redis/.test(process);
  const services = used((process) => !isStore(process));
  const store = used(isStore);
  return {
    name,
    perSecond,
    perCpuSecond: operations / (services + store),
    services: (services * 1_000) / operations,
    store: (store * 1_000) / operations,
    errors,
  };
}

/** @param {Row[]} rows */
function render(rows) {
  const lines = rows.map(({ replicas, name, perSecond, perCpuSecond, services, store, errors }) => {
    const alone = rows.find((row) => row.name === name && row.replicas === counts[0]);
    const ratio = alone ? (perCpuSecond / alone.perCpuSecond).toFixed(2) : '';
    return `| ${name} | ${replicas} | ${perSecond.toFixed(0)} | ${perCpuSecond.toFixed(0)} | ${ratio} | ${services.toFixed(2)} | ${store.toFixed(2)} | ${errors} |`;
  });
  return [
    `| what | replicas | per second | per CPU second | to that of ${counts[0]} | ms of services | ms of the store | errors |`,
    '|---|--:|--:|--:|--:|--:|--:|--:|',
    ...lines,
  ].join('\n');
}

await playWithServices(INSTANCE, async (startServices) => {
  /** @type {Row[]} */
  const rows = [];
  for (const replicas of counts) {
    const http = balanced(await startServices({ replicas, lateMs: Number(options.late) }));
    const asked = await prepareRows(http, names);
    const pids = processesIn(INSTANCE);
    for (const { name, operation } of asked) {
      await untilAtRest(pids);
      const row = {
        replicas,
        ...(await measureRow({ pids, inFlight: replicas * IN_FLIGHT }, name, operation)),
      };
      rows.push(row);
      say(`  ${name}, ${replicas} replicas: ${row.perCpuSecond.toFixed(0)} for each CPU second`);
    }
    await http.close();
  }
  rows.sort((one, other) => names.indexOf(one.name) - names.indexOf(other.name));
  say(`\n${render(rows)}\n`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
});

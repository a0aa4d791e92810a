// node tools/probes/abuse.mjs: what the most expensive request of a stranger costs, for every entrance that needs no account.
//
// The platform runs in one process, so that what a request costs behind the gateway counts, too. The figure is the time
// on a processor of that process's main thread, the event loop, as the kernel counts it: threads that hash passwords or
// resize pictures beside it are no part of it.
//
//   node tools/probes/abuse.mjs --only auth                 entrances whose name holds the text
//   node tools/probes/abuse.mjs --url URL --pid PID         a platform that runs already in one process, with TRUST_PROXY=1
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { instanceAt, LOCAL } from '../../deploy/local/lib/paths.mjs';
import { Platform, playToTheEnd } from '../../deploy/local/lib/platform.mjs';
import { say } from '../../deploy/local/lib/progress.mjs';
import { startGateway } from '../lib/gateway.mjs';
import { createClient } from '../lib/public-client.mjs';
import { createHttp, newAddress, parsed } from '../lib/raw-http.mjs';
import { costliestOf, entrancesOf, renderBudget } from './entrances.mjs';
import { operationsOf } from './operations.mjs';
import { createRequests } from './requests.mjs';
import { openSink } from './sink.mjs';
import { createWorld } from './world.mjs';

const INSTANCE = instanceAt(path.join(LOCAL, 'abuse'));
/** No request of a stranger may keep everybody else waiting for longer. */
const BUDGET_MS = 50;
/** The least of several: other work of the same process only ever adds. */
const RUNS = 3;
/** What is above the budget is asked again that often: the first requests of a process also pay for its code to be compiled. */
const RUNS_MAX = 12;
const NS_PER_MS = 1e6;

const platform = new Platform(INSTANCE);

async function startPlatform() {
  await platform.beginAnew();
  const urls = await platform.startInfrastructure();
  const url = await startGateway(platform, urls, { settings: { TRUST_PROXY: '1' } });
  const pid = platform.parts().find(({ name }) => name === 'all-in-one')?.pid;
  return { url, pid: Number(pid) };
}

/** How long the main thread of a process has been on a processor. @param {number} pid */
const eventLoopMs = (pid) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / NS_PER_MS;

async function main() {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      pid: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  });
  const { url, pid } = values.url
    ? { url: values.url, pid: Number(values.pid) }
    : await startPlatform();
  const http = createHttp([url], 1);
  const sink = await openSink();
  const { text } = await http.send({ method: 'GET', path: '/openapi.json', headers: {} });
  const world = await createWorld(createClient(http, sink.url));
  const requests = createRequests(world);

  /**
   * Asked again only where it would be the dearest so far.
   *
   * @param {import('../lib/raw-http.mjs').Wire} wire
   * @param {number} dearest
   */
  async function costOf(wire, dearest) {
    let least = Number.POSITIVE_INFINITY;
    let answer;
    const isOpen = (/** @type {number} */ run) =>
      run < RUNS ? least > dearest : run < RUNS_MAX && least > Math.max(dearest, BUDGET_MS);
    for (let run = 0; isOpen(run); run += 1) {
      const before = eventLoopMs(pid);
      answer = await http.send({
        ...wire,
        headers: { ...wire.headers, 'X-Forwarded-For': newAddress() },
      });
      least = Math.min(least, eventLoopMs(pid) - before);
    }
    return { ms: least, answer: /** @type {import('../lib/raw-http.mjs').Answer} */ (answer) };
  }

  const rows = [];
  for (const entrance of await entrancesOf(operationsOf(parsed(text)), requests, world)) {
    if (!entrance.name.includes(values.only)) continue;
    const row = await costliestOf(entrance, costOf);
    rows.push(row);
    say(`${row.ms.toFixed(1).padStart(8)} ms  ${row.name}  (${row.worst})`);
  }
  http.close();
  sink.close();
  const over = rows.filter(({ ms }) => ms > BUDGET_MS);
  say(`\n${renderBudget(rows)}\n`);
  say(`${rows.length} entrances, ${over.length} above ${BUDGET_MS} ms`);
  if (over.length > 0) process.exitCode = 1;
}

await playToTheEnd(() => platform, main);

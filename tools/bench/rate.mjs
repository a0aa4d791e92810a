// npm run bench -- --rate: how long answers take at a fixed rate, each counted from the moment when its request was due.
//
//   npm run bench -- --rate                       at 60 % of what each row bears with 32 in flight, all services in one process
//   npm run bench -- --rate --share 0.8           at another part of it
//   npm run bench -- --rate --seconds 60          for longer than 20 s
//   npm run bench -- --rate --mode each           a process each
//   npm run bench -- --rate --rows earn,redeem    some of the rows
//   npm run bench -- --rate --json FILE           the figures as JSON as well
//
// A closed load waits with its next request for an answer that is late, and so leaves out those who would have waited behind it.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { instanceAt, LOCAL } from '../../deploy/local/lib/paths.mjs';
import { say } from '../../deploy/local/lib/progress.mjs';
import { untilAtRest } from './at-rest.mjs';
import { httpClient, measure, pause, quantile } from './load.mjs';
import { playWithServices, prepareRows, processesIn } from './services.mjs';
import { rowsIn } from './subjects.mjs';

const { values: options } = parseArgs({
  options: {
    rate: { type: 'boolean' },
    share: { type: 'string', default: '0.6' },
    seconds: { type: 'string', default: '20' },
    mode: { type: 'string', default: 'one' },
    rows: { type: 'string', default: 'earn,spend,create client,get client,list 20 clients,redeem' },
    json: { type: 'string' },
  },
});
const IN_FLIGHT = 32;
/** More than are ever due at once unless the platform stands still. */
const CONNECTIONS = 256;
/** A process that has just been started gets faster for a while. */
const WARM_UP_SECONDS_MAX = 8;
const share = Number(options.share);
const seconds = Number(options.seconds);
const INSTANCE = instanceAt(path.join(LOCAL, 'bench'));

/** @typedef {{ name: string, mostPerSecond: number, perSecond: number, latenciesMs: Float64Array, errors: number }} AtRate */

/**
 * Sends a request at each of its times, whether the ones before have their answers or not.
 *
 * @param {number} perSecond
 * @param {(sequence: number) => Promise<unknown>} operation
 */
async function send(perSecond, operation) {
  /** @type {Set<Promise<unknown>>} */
  const open = new Set();
  /** @type {number[]} */
  const latenciesMs = [];
  let errors = 0;
  const startedAt = performance.now();
  const count = Math.round(perSecond * seconds);
  for (let sequence = 0; sequence < count; sequence += 1) {
    const dueAt = startedAt + (sequence * 1_000) / perSecond;
    const early = dueAt - performance.now();
    await (early >= 1 ? pause(early) : setImmediate());
    const answered = operation(sequence).then(
      () => latenciesMs.push(performance.now() - dueAt),
      () => {
        errors += 1;
      },
    );
    const asked = answered.finally(() => open.delete(asked));
    open.add(asked);
  }
  await Promise.all(open);
  return { latenciesMs: Float64Array.from(latenciesMs).sort(), errors };
}

/** @param {AtRate[]} rows */
function render(rows) {
  const lines = rows.map(({ name, mostPerSecond, perSecond, latenciesMs, errors }) => {
    const [p50, p90, p99, p999] = [0.5, 0.9, 0.99, 0.999].map((part) =>
      quantile(latenciesMs, part).toFixed(1),
    );
    const most = (latenciesMs.at(-1) ?? 0).toFixed(1);
    return `| ${name} | ${mostPerSecond.toFixed(0)} | ${perSecond.toFixed(0)} | ${p50} | ${p90} | ${p99} | ${p999} | ${most} | ${errors} |`;
  });
  return [
    '| what | at most a second | sent a second | p50 ms | p90 ms | p99 ms | p99.9 ms | longest ms | errors |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|',
    ...lines,
  ].join('\n');
}

await playWithServices(INSTANCE, async (startServices) => {
  const [baseUrl = ''] = await startServices({ processes: options.mode === 'each' });
  const http = httpClient(baseUrl, CONNECTIONS);
  const asked = await prepareRows(http, rowsIn(options.rows));
  const pids = processesIn(INSTANCE);
  /** @type {AtRate[]} */
  const rows = [];
  for (const { name, operation } of asked) {
    await untilAtRest(pids);
    const how = { inFlight: IN_FLIGHT, seconds: 4, warmUpSecondsMax: WARM_UP_SECONDS_MAX };
    const { perSecond: mostPerSecond } = await measure(how, operation);
    await untilAtRest(pids);
    const perSecond = mostPerSecond * share;
    const row = { name, mostPerSecond, perSecond, ...(await send(perSecond, operation)) };
    rows.push(row);
    say(
      `  ${name}, ${perSecond.toFixed(0)}/s: p99 ${quantile(row.latenciesMs, 0.99).toFixed(1)} ms`,
    );
  }
  await http.close();
  say(`\nAt ${share * 100} % of the most, for ${seconds} s each\n\n${render(rows)}\n`);
  if (options.json) writeFileSync(options.json, `${JSON.stringify(rows, null, 2)}\n`);
});

// npm run bench -- --million: the platform over a million clients and five million ledger entries.
//
//   npm run bench -- --million                     makes the data if it is not there, then measures; data is kept
//   npm run bench -- --million --generate-only     only makes the data
//   npm run bench -- --million --fresh             makes it anew
//   npm run bench -- --million --clients 100000 --entries 500000 --tier-clients 10000 --seed 2
//   npm run bench -- --million --json FILE         the figures as JSON as well
//   npm run bench -- --million --rows search       those rows alone whose name has one of these in it, and no tiers
//
// Everything is under .local/million, apart from what npm start uses. tools/bench/README.md says what it means.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { instanceAt, LOCAL } from '../../../deploy/local/lib/paths.mjs';
import { Platform, playToTheEnd, prepare } from '../../../deploy/local/lib/platform.mjs';
import { say, step } from '../../../deploy/local/lib/progress.mjs';
import { NO_LIMITS, startGateway } from '../../lib/gateway.mjs';
import { httpClient, measure } from '../load.mjs';
import { ensureData } from './dataset.mjs';
import { untilIdle } from './idle.mjs';
import { openRaw } from './raw.mjs';
import { renderPairs, renderRuns } from './report.mjs';
import { samplesOf } from './samples.mjs';
import { subjectsOf } from './subjects.mjs';
import { measureTiers } from './tiers.mjs';
import { verifySample } from './verify.mjs';

const { values: options } = parseArgs({
  options: {
    million: { type: 'boolean' },
    clients: { type: 'string', default: '1000000' },
    entries: { type: 'string', default: '5000000' },
    'tier-clients': { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    fresh: { type: 'boolean', default: false },
    'generate-only': { type: 'boolean', default: false },
    seconds: { type: 'string', default: '3' },
    rows: { type: 'string' },
    json: { type: 'string' },
  },
});
const INSTANCE = instanceAt(path.join(LOCAL, 'million'));
const LEVELS = [1, 8];
const WARM_UP_SECONDS = 1;
const SETTINGS = {
  ...NO_LIMITS,
  // How fast the job is when it is not held back; by default it is, to 2 000 clients a second.
  TIERS_RESYNC_PER_SECOND: '100000',
};

/** @type {Platform | undefined} */
let platform;

/** @typedef {Record<string, Record<number, import('../load.mjs').Measured>>} Figures by name and how many in flight */

/**
 * @param {Record<string, { operation: (sequence: number) => Promise<unknown>, perCall?: number }>} subjects
 * @returns {Promise<Figures>}
 */
async function measureAll(subjects) {
  const pids = Object.fromEntries((platform?.parts() ?? []).map(({ name, pid }) => [name, pid]));
  /** @type {Figures} */
  const figures = {};
  for (const [name, { operation, perCall = 1 }] of Object.entries(subjects)) {
    figures[name] = {};
    for (const inFlight of LEVELS) {
      const seconds = Number(options.seconds);
      const how = { inFlight, seconds, warmUpSeconds: WARM_UP_SECONDS, pids, perCall };
      const measured = await measure(how, operation);
      figures[name][inFlight] = measured;
      const { perSecond, p50Ms } = measured;
      say(
        `  ${name}, ${inFlight} in flight: ${perSecond.toFixed(1)}/s, p50 ${p50Ms.toFixed(1)} ms`,
      );
    }
  }
  return figures;
}

async function main() {
  await prepare();
  const data = await ensureData(
    INSTANCE,
    {
      seed: /** @type {string} */ (options.seed),
      clients: Number(options.clients),
      entries: Number(options.entries),
      tierClients: Number(options['tier-clients']),
    },
    { settings: SETTINGS, fresh: options.fresh === true, onPlatform: follow },
  );
  say(
    `  ${Object.entries(data.made)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ')}`,
  );
  if (options['generate-only']) return;

  const { million, tiers } = data.scene;
  const workspaces = Object.keys(data.scene).length;
  const running = new Platform(INSTANCE);
  follow(running);
  await running.claim();
  const urls = await running.startInfrastructure();
  const baseUrl = await startGateway(running, urls, {
    processes: true,
    settings: SETTINGS,
  });
  const http = httpClient(baseUrl, Math.max(...LEVELS));
  const samples = samplesOf(million.plan);
  await step('Waiting until nothing is due', () => untilIdle(urls.MONGODB_URI, workspaces));
  const verified = await verifySample(http, million, samples);
  say(`✓ verify agrees: ${verified.entries} entries of ${verified.wallets} wallets`);

  const raw = await openRaw(urls.MONGODB_URI, million, samples);
  const subjects = askedOf(subjectsOf(http, million, samples));
  const needed = new Set(Object.values(subjects).map(({ raw: floor }) => floor));
  const floors = await measureAll(
    Object.fromEntries(Object.entries(raw.operations).filter(([name]) => needed.has(name))),
  );
  await raw.close();
  const figures = await measureAll(subjects);
  await step('Waiting until all is told', () => untilIdle(urls.MONGODB_URI, workspaces));
  const runs = options.rows ? [] : await measureTiers(http, tiers);
  await http.close();
  const pairs = Object.entries(subjects).map(([name, { raw: floor = '' }]) => ({ name, floor }));
  say(`\n${renderPairs(pairs, figures, floors)}`);
  if (runs.length > 0) say(`\n${renderRuns(runs)}`);
  if (options.json) {
    const report = {
      at: new Date().toISOString(),
      made: data.made,
      verified,
      floors,
      figures,
      runs,
    };
    writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  }
}

/**
 * The rows that were asked for; all where none were.
 *
 * @template Row
 * @param {Record<string, Row>} rows
 */
function askedOf(rows) {
  const asked = options.rows?.split(',');
  return Object.fromEntries(
    Object.entries(rows).filter(([name]) => !asked || asked.some((part) => name.includes(part))),
  );
}

/** @param {Platform} started is what an interruption has to stop */
function follow(started) {
  platform = started;
}

void playToTheEnd(() => platform, main);

// npm run bench -- --peers: ours beside Directus and medici, one load generator, one run.
//
//   npm run bench -- --peers                   three rounds of each row, 32 in flight, all our services in one process
//   npm run bench -- --peers --mode each       a process each
//   npm run bench -- --peers --rounds 1        fewer; of several the one in the middle counts
//   npm run bench -- --peers --seconds 10      for longer than 4 s a row
//   npm run bench -- --peers --json FILE       the figures as JSON as well, every round
import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { instanceAt, LOCAL } from '../../../deploy/local/lib/paths.mjs';
import { Platform, playToTheEnd } from '../../../deploy/local/lib/platform.mjs';
import { say, step } from '../../../deploy/local/lib/progress.mjs';
import { NO_LIMITS, startGateway } from '../../lib/gateway.mjs';
import { untilAtRest } from '../at-rest.mjs';
import { httpClient, measure } from '../load.mjs';
import { renderGoals, renderRows } from '../report.mjs';
import { processesIn } from '../services.mjs';
import { prepareScene, subjectsOf } from '../subjects.mjs';
import { openDirectus, SAID, startDirectus } from './directus.mjs';
import { installPeers, installPostgres, PEERS } from './install.mjs';
import { ENTRIES_EACH, openMedici } from './medici.mjs';
import { costsOf, mediansOf, PAIRS, ratiosOf, renderCosts } from './ratios.mjs';

const { values: options } = parseArgs({
  options: {
    peers: { type: 'boolean' },
    mode: { type: 'string', default: 'one' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
    json: { type: 'string' },
  },
});
const INSTANCE = instanceAt(path.join(LOCAL, 'bench'));
const IN_FLIGHT = 32;
/** A process that has just been started gets faster for a while. */
const WARM_UP_SECONDS_MAX = 8;
const processes = options.mode === 'each';
const mode = processes ? 'a process each' : 'one process';
const platform = new Platform(INSTANCE);

/**
 * As many entries of each client as medici has of each account.
 *
 * @param {import('../subjects.mjs').Http} http
 * @param {import('../subjects.mjs').Scene} scene
 */
async function giveHistory(http, { token, workspace, clientIds }) {
  const operations = clientIds.map((client_id) => ({ op: 'earn', client_id, amount: 1 }));
  // Each has one from the beginning.
  for (let entry = 1; entry < ENTRIES_EACH; entry += 1)
    await http.request('POST', `${workspace}/loyalty/points/batch`, {
      token,
      body: { operations },
    });
}

/** Ours and the peer's in turn, so that both meet the same neighbours on the machine. @param {Record<string, import('../subjects.mjs').Subject>} subjects */
async function measureRounds(subjects) {
  const pids = processesIn(INSTANCE);
  const names = PAIRS.flatMap(({ ours, peer }) => [ours, peer]);
  /** @type {import('../report.mjs').Row[]} */
  const rows = [];
  for (let round = 1; round <= Number(options.rounds); round += 1) {
    say(`\nRound ${round}, load ${loadavg()[0]?.toFixed(1)}`);
    for (const name of names) {
      const { operation } = /** @type {import('../subjects.mjs').Subject} */ (subjects[name]);
      await untilAtRest(pids);
      const how = { seconds: Number(options.seconds), warmUpSeconds: 1, pids };
      const measured = await measure(
        { ...how, inFlight: IN_FLIGHT, warmUpSecondsMax: WARM_UP_SECONDS_MAX },
        operation,
      );
      const isOurs = PAIRS.some(({ ours }) => ours === name);
      rows.push({ name, mode: isOurs ? mode : '', inFlight: IN_FLIGHT, measured });
      say(`  ${name}: ${measured.perSecond.toFixed(0)}/s`);
    }
  }
  return rows;
}

async function main() {
  await platform.beginAnew();
  const installed = await installPeers();
  const engineRoot = await installPostgres();
  const urls = await platform.startInfrastructure();
  const baseUrl = await startGateway(platform, urls, { processes, settings: NO_LIMITS });
  const dataDir = path.join(INSTANCE.data, 'directus-postgres');
  const directus = await openDirectus(
    await startDirectus(platform, { installed, engineRoot, dataDir }),
  );
  const medici = await step('Seeding medici', () => openMedici(installed, urls.MONGODB_URI));
  const http = httpClient(baseUrl, IN_FLIGHT);
  const scene = await prepareScene(http);
  await giveHistory(http, scene);
  const ours = subjectsOf(http, scene);
  const rows = await measureRounds({ ...ours, ...directus.subjects, ...medici.subjects });
  await Promise.all([http.close(), directus.close(), medici.close()]);

  const medians = mediansOf(rows);
  const goals = ratiosOf(medians, mode);
  const versions = Object.entries(PEERS).map((peer) => peer.join(' '));
  say(`\n${versions.join(', ')}. Directus: ${SAID}; ours: no limits, LOG_LEVEL=warn.`);
  say(`\n${renderRows(medians)}\n\n${renderGoals(goals)}\n\n${renderCosts(costsOf(medians))}\n`);
  if (options.json)
    writeFileSync(
      options.json,
      `${JSON.stringify({ at: new Date().toISOString(), peers: PEERS, rows, goals }, null, 2)}\n`,
    );
}

void playToTheEnd(() => platform, main);

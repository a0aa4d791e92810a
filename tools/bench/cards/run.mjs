// npm run bench -- --cards: passes, previews, and what goes through all members.
//
//   --members 100000      members with a pass and a phone each, written straight into the store
//   --rows pkpass,preview,template,campaign
//   --processes           a process each, for CPU by service
//   --profile FOLDER      a profile of each service and row, and what they did most; the CPU figures are dearer by it
//   --json FILE           the figures as JSON as well
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { instanceAt, LOCAL } from '../../../deploy/local/lib/paths.mjs';
import { Platform, playToTheEnd } from '../../../deploy/local/lib/platform.mjs';
import { say } from '../../../deploy/local/lib/progress.mjs';
import { startApple } from '../../lib/apple.mjs';
import { NO_LIMITS, startGateway } from '../../lib/gateway.mjs';
import { openInspectors, PROFILED, startProfiles } from '../costs/profile.mjs';
import { cpuSeconds, httpClient } from '../load.mjs';
import { processesIn } from '../services.mjs';
import { ROWS } from './rows.mjs';
import { prepareCards } from './scene.mjs';

const { values: options } = parseArgs({
  options: {
    cards: { type: 'boolean' },
    members: { type: 'string', default: '100000' },
    rows: { type: 'string', default: Object.keys(ROWS).join() },
    processes: { type: 'boolean', default: false },
    profile: { type: 'string' },
    json: { type: 'string' },
  },
});
const INSTANCE = instanceAt(path.join(LOCAL, 'cards'));
const IN_FLIGHT = 32;
const platform = new Platform(INSTANCE);

async function main() {
  await platform.beginAnew();
  const urls = await platform.startInfrastructure();
  const apple = await startApple();
  const baseUrl = await startGateway(platform, urls, {
    processes: options.processes,
    settings: { ...NO_LIMITS, ...(options.profile ? PROFILED : {}), ...apple.settings },
  });
  const http = httpClient(baseUrl, IN_FLIGHT);
  const cards = await prepareCards(http, {
    baseUrl: baseUrl,
    uri: urls.MONGODB_URI,
    members: Number(options.members),
    credentials: apple.credentials,
  });
  say(`${options.members} members`);
  const pids = processesIn(INSTANCE);
  const around = {
    http,
    cards,
    apple,
    inFlight: IN_FLIGHT,
    baseUrl: baseUrl,
  };
  const figures = [];
  if (options.profile) mkdirSync(options.profile, { recursive: true });
  const inspectors = options.profile ? await openInspectors(INSTANCE.logs) : [];
  for (const name of options.rows.split(',')) {
    const row = ROWS[name];
    if (!row) throw new Error(`nothing to measure is called ${name}`);
    const cost = async (/** @type {() => Promise<number>} */ work) => {
      const before = cpuSeconds(pids);
      const began = performance.now();
      const units = await work();
      const seconds = (performance.now() - began) / 1_000;
      const after = cpuSeconds(pids);
      const cpuUs = Object.fromEntries(
        Object.keys(pids).map((one) => [
          one,
          Math.round((((after[one] ?? 0) - (before[one] ?? 0)) * 1e6) / units),
        ]),
      );
      return { units, seconds, cpuUs };
    };
    const endProfiles = await startProfiles(inspectors);
    const measured = await row(around, cost);
    if (options.profile) say(await endProfiles(options.profile, name));
    for (const figure of measured) {
      figures.push(figure);
      say(`${render(figure)}; load ${loadavg()[0]?.toFixed(1)}`);
    }
  }
  for (const inspector of inspectors) inspector.close();
  await http.close();
  apple.close();
  if (options.json) writeFileSync(options.json, `${JSON.stringify(figures, null, 2)}\n`);
}

/** @param {import('./rows.mjs').Figure} figure */
function render({ name, units, seconds, cpuUs, more }) {
  const used = Object.entries(cpuUs).filter(([, us]) => us > 0);
  const all = used.reduce((sum, [, us]) => sum + us, 0);
  const by = used
    .sort(([, a], [, b]) => b - a)
    .map(([one, us]) => `${one} ${us}`)
    .join(', ');
  const rate = (units / seconds).toFixed(0);
  return `${name}: ${units} in ${seconds.toFixed(2)} s (${rate}/s), ${all} us CPU each (${by})${more ? `; ${more}` : ''}`;
}

void playToTheEnd(() => platform, main);

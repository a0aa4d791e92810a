// npm start: the whole platform on this machine, from a fresh clone to a printed address.
//
//   npm start                          one process hosts every service
//   npm start -- --processes           one process per service
//   npm start -- --replicas 2          two processes of every service
//   npm start -- --fresh               forget all data first
//   npm start -- --servers             only what keeps data, to restore into (docs/backup.md)
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { seedDemo } from './lib/demo.mjs';
import { helpIfAsked } from './lib/help.mjs';
import { MAIN_INSTANCE, shown } from './lib/paths.mjs';
import { Platform, prepare } from './lib/platform.mjs';
import { explain, SetupError, say, sinceStart, step, warn } from './lib/progress.mjs';
import { SERVERS } from './lib/servers-meant.mjs';
import { welcomeText } from './lib/welcome.mjs';

helpIfAsked();

const DEFAULT_PORT = 8080;

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        processes: { type: 'boolean', default: false },
        replicas: { type: 'string', default: '1' },
        fresh: { type: 'boolean', default: false },
        servers: { type: 'boolean', default: false },
      },
    });
    const replicas = Number(values.replicas);
    if (!Number.isInteger(replicas) || replicas < 1 || replicas > 10)
      throw new Error('--replicas takes 1 to 10');
    return { ...values, processes: values.processes || replicas > 1, replicas };
  } catch (error) {
    throw new SetupError(
      `${/** @type {Error} */ (error).message}\nUsage: npm start -- [--processes] [--replicas N] [--fresh] [--servers]`,
    );
  }
}

/** @param {boolean} forRestore the demo is in what will be restored: its logins are kept */
function forgetData(forRestore) {
  const { data, demo, outbox, logs } = MAIN_INSTANCE;
  const gone = [data, outbox, logs, ...(forRestore ? [] : [demo])];
  for (const entry of gone) rmSync(entry, { recursive: true, force: true });
  say('✓ All local data removed');
  const foreign = SERVERS.filter((name) => process.env[name]);
  if (foreign.length > 0)
    say(`  (what the servers of ${foreign.join(', ')} hold is not ours to remove)`);
}

const platform = new Platform(MAIN_INSTANCE);
let stopping = false;

/** @param {number} exitCode */
async function stop(exitCode) {
  if (stopping) return;
  stopping = true;
  await platform.stop();
  process.exit(exitCode);
}

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    if (!stopping) say('\nStopping ...');
    void stop(0).then(() => {}, explain);
  });
}

/**
 * The platform is of use without the demo too: its failure is said, not fatal.
 *
 * @param {string} baseUrl
 */
async function seed(baseUrl) {
  const file = MAIN_INSTANCE.demo;
  try {
    return await step(
      'Seeding the demo workspace',
      () => seedDemo({ baseUrl, file }),
      () => 'Demo workspace ready',
    );
  } catch (error) {
    warn(`The demo workspace could not be made: ${/** @type {Error} */ (error).message}`);
    return undefined;
  }
}

async function main() {
  const { processes, replicas, fresh, servers } = readArguments();
  await platform.claim();
  if (fresh) forgetData(servers);
  await prepare();
  const { urls, whole } = await platform.beginInfrastructure();
  if (servers) {
    await whole;
    say('\nThe servers run, and no service. In another terminal:\n');
    say('  npm run backup -- restore <folder>\n  npm run indexes -- apply\n');
    say('Then Ctrl-C here, and npm start.');
    return;
  }
  const gatewayPort = Number(process.env.PORT ?? DEFAULT_PORT);
  const services = platform.startServices(urls, { gatewayPort, processes, replicas });
  const [baseUrls] = await Promise.all([services, whole]);
  const [baseUrl = ''] = baseUrls;
  const notes = /** @type {[string, string][]} */ ([
    ['Logs', `${shown(MAIN_INSTANCE.logs)}/  (npm run logs -- ledger)`],
    ['Mails', `${shown(MAIN_INSTANCE.outbox)}/`],
  ]);
  const demo = await seed(baseUrl);
  say(`\nLaurel is ready after ${sinceStart()}.\n${welcomeText({ baseUrls, demo, notes })}`);
  say(`Ctrl-C stops it; the data stays in ${shown(MAIN_INSTANCE.data)}/ for the next start.`);
}

main().catch(async (error) => {
  if (stopping) return;
  explain(error);
  await stop(1);
});

// Directus on a PostgreSQL of its own, both parts of the bench's platform, so that they end with it.
import { randomBytes, randomUUID } from 'node:crypto';
import path from 'node:path';
import { startPostgres } from '../../../deploy/local/documentdb.mjs';
import { freePort, waitUntil } from '../../../deploy/local/lib/ports.mjs';
import { isAlive, run, spawnLogged, stopProcess } from '../../../deploy/local/lib/processes.mjs';
import { step } from '../../../deploy/local/lib/progress.mjs';
import { httpClient } from '../load.mjs';

const ITEMS = 500;
const IN_FLIGHT = 32;
const READY_WITHIN_MS = 120_000;
const COLLECTION = 'members';

/** What is changed of Directus' own settings; everything else is as it comes, its log of activity and revisions too. */
const SETTINGS = {
  NODE_ENV: 'production',
  LOG_LEVEL: 'warn',
  // The first is off as it comes, the second would refuse what a busy machine answers late; ours are lifted, too.
  RATE_LIMITER_ENABLED: 'false',
  PRESSURE_LIMITER_ENABLED: 'false',
  CACHE_ENABLED: 'false',
  TELEMETRY: 'false',
};

/** In words, for the readers of the figures. */
export const SAID = Object.entries(SETTINGS)
  .map((setting) => setting.join('='))
  .join(', ');

/**
 * @param {import('../../../deploy/local/lib/platform.mjs').Platform} platform
 * @param {{ installed: import('./install.mjs').Installed, engineRoot: string, dataDir: string }} from
 * @returns {Promise<{ url: string, token: string }>}
 */
export async function startDirectus(platform, { installed, engineRoot, dataDir }) {
  const { logs } = platform.folders;
  const logOf = (/** @type {string} */ name) => path.join(logs, `${name}.log`);
  const { socketDir } = await platform.add({
    name: 'directus-postgres',
    stage: 0,
    stopSignal: 'SIGINT',
    start: () => startPostgres({ root: engineRoot, dataDir, logFile: logOf('directus-postgres') }),
  });
  const [port, token] = [await freePort(), randomBytes(24).toString('hex')];
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    HOME: installed.run,
    ...SETTINGS,
    ...{ HOST: '127.0.0.1', PORT: String(port), PUBLIC_URL: url },
    ...{ KEY: randomUUID(), SECRET: randomBytes(24).toString('hex') },
    // The driver takes the folder of a socket for a host, as our gateway takes its own.
    ...{ DB_CLIENT: 'pg', DB_HOST: socketDir, DB_PORT: '5432', DB_DATABASE: 'postgres' },
    ...{ DB_USER: 'postgres', DB_PASSWORD: '' },
    ...{ ADMIN_EMAIL: 'bench@example.com', ADMIN_PASSWORD: token, ADMIN_TOKEN: token },
  };
  const cli = path.join(installed.root, 'node_modules/directus/cli.js');
  const options = { cwd: installed.run, env, logFile: logOf('directus') };
  await step(
    'Starting Directus',
    async () => {
      await run(installed.node, [cli, 'bootstrap'], options);
      const start = () => startServer([installed.node, cli, 'start'], options);
      await platform.add({ name: 'directus', stage: 1, start });
    },
    () => `Directus on port ${port}`,
  );
  return { url, token };
}

/**
 * @param {string[]} command
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, logFile: string }} options
 */
async function startServer([program = '', ...args], options) {
  const { pid } = spawnLogged(program, args, options);
  const stop = () => stopProcess(pid);
  const isReady = () =>
    fetch(`http://127.0.0.1:${options.env.PORT}/server/ping`).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    await waitUntil(isReady, {
      what: 'Directus',
      withinMs: READY_WITHIN_MS,
      stillPossible: () => isAlive(pid),
      hint: `See ${options.logFile}`,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid, stop };
}

/** A member with the fields that a client of ours has beside its id. */
const FIELDS = [
  { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
  { field: 'workspace_id', type: 'uuid', schema: { is_indexed: true } },
  { field: 'first_name', type: 'string' },
  { field: 'last_name', type: 'string' },
  { field: 'email', type: 'string', schema: { is_unique: true } },
  { field: 'loyalty_program_enabled', type: 'boolean' },
  { field: 'points', type: 'integer', schema: { default_value: 0 } },
  {
    field: 'date_created',
    type: 'timestamp',
    meta: { special: ['date-created'] },
    schema: { is_indexed: true },
  },
];

/**
 * As many items as our workspace has clients, and the rows that work on them.
 *
 * @param {{ url: string, token: string }} directus
 */
export async function openDirectus({ url, token }) {
  const http = httpClient(url, IN_FLIGHT);
  const workspace = randomUUID();
  const items = `/items/${COLLECTION}`;
  const newItem = (/** @type {number} */ number) => ({
    workspace_id: workspace,
    first_name: 'Ada',
    last_name: `Bench ${number}`,
    email: `${randomUUID()}@example.com`,
    loyalty_program_enabled: true,
  });
  await http.request('POST', '/collections', {
    token,
    body: { collection: COLLECTION, schema: {}, meta: {}, fields: FIELDS },
  });
  const made = await http.request('POST', items, {
    token,
    body: Array.from({ length: ITEMS }, (_, number) => newItem(number)),
  });
  /** @type {string[]} */
  const ids = made.data.map((/** @type {{ id: string }} */ { id }) => id);
  const itemOf = (/** @type {number} */ sequence) => `${items}/${ids[sequence % ids.length]}`;
  const newest = `${items}?filter[workspace_id][_eq]=${workspace}&sort=-date_created&limit=20`;
  /** @type {Record<string, import('../subjects.mjs').Subject>} */
  const subjects = {
    'Directus, create': {
      operation: (sequence) => http.request('POST', items, { token, body: newItem(sequence) }),
    },
    'Directus, get': { operation: (sequence) => http.request('GET', itemOf(sequence), { token }) },
    'Directus, list 20': { operation: () => http.request('GET', newest, { token }) },
    'Directus, patch': {
      operation: (sequence) =>
        http.request('PATCH', itemOf(sequence), { token, body: { points: sequence } }),
    },
  };
  return { subjects, close: http.close };
}

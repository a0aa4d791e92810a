// Starting Laurel's own services, in one process or in many, and waiting until they are ready.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT, shown } from './paths.mjs';
import {
  GATEWAY,
  hosts,
  listening,
  listeningTogether,
  placeServices,
  targets,
} from './placement.mjs';
import { PATIENCE_MS, waitUntil } from './ports.mjs';
import { spawnLogged, stopProcess } from './processes.mjs';
import { SetupError } from './progress.mjs';
import { runtimeFor } from './runtime.mjs';

/** What comes after the servers: the services, and the gateways after these. */
export const FIRST_SERVICE_STAGE = 2;

/** The process that hosts every service, and its log. */
export const ALL_IN_ONE = 'all-in-one';

/** A little more than the services' own SHUTDOWN_SECONDS. */
const ORDERLY_STOP_MS = 25_000;
/** A service that has died this often before it was ever ready will not come up by trying again. */
const HOPELESS_AFTER_FAULTS = 3;

/**
 * @param {{
 *   instance: import('./paths.mjs').Instance,
 *   supervisor: import('./supervisor.mjs').Supervisor,
 *   settingsOf: (gatewayPort: number) => NodeJS.ProcessEnv,
 *   services: string[],
 *   processes: boolean,
 *   replicas: import('./placement.mjs').Replicas,
 *   gatewayPort: number,
 *   own: Record<string, NodeJS.ProcessEnv>,
 * }} options `own` is what single processes get besides, by name
 * @returns {Promise<{ baseUrls: string[], targets: Record<string, string> }>} once every process answers that it and all it depends on are there
 */
export async function startServices({
  instance,
  supervisor,
  settingsOf,
  services,
  processes,
  replicas,
  gatewayPort,
  own,
}) {
  const placed = await placeServices({ services, replicas, gatewayPort });
  const gateways = placed.filter(({ service }) => service === GATEWAY);
  // The wanted port may be taken, and addresses in mails, pages and on cards lead to where it listens.
  const shared = { ...settingsOf(gateways[0]?.port ?? gatewayPort), ...targets(placed) };
  const parts = processes ? placed.map(processOf) : hosts(placed).map(hostOf);

  for (const { service, name, script, env } of parts) {
    await supervisor.add({
      name,
      stage: FIRST_SERVICE_STAGE + (service === GATEWAY ? 1 : 0),
      start: async () =>
        startScript({
          script,
          env: { ...shared, ...env, ...own[name] },
          logFile: logOf(instance, service),
        }),
    });
  }

  const healthPorts = (processes ? placed : gateways).map((each) => each.healthPort);
  const ready = [...gateways.map(({ port }) => port), ...healthPorts];
  try {
    await waitUntil(async () => (await Promise.all(ready.map(isReady))).every(Boolean), {
      what: 'Laurel',
      withinMs: PATIENCE_MS,
      stillPossible: () =>
        parts.every(({ name }) => supervisor.faultsOf(name) < HOPELESS_AFTER_FAULTS),
    });
  } catch (error) {
    const failing = parts.find(({ name }) => supervisor.faultsOf(name) > 0) ?? parts[0];
    const logFile = logOf(instance, failing?.service ?? ALL_IN_ONE);
    throw new SetupError(
      `${/** @type {Error} */ (error).message} The end of ${shown(logFile)}:\n${lastLines(logFile)}`,
    );
  }
  return {
    baseUrls: gateways.map(({ port }) => `http://localhost:${port}`),
    targets: targets(placed),
  };
}

/** @typedef {import('./placement.mjs').Placed} Placed */
/** @typedef {{ service: string, name: string, script: string, env: NodeJS.ProcessEnv }} Process what is started, apart from what all are given */

/** A replica in a process of its own. @param {Placed} placed @returns {Process} */
const processOf = (placed) => ({
  service: placed.service,
  name: placed.name,
  script: `services/${placed.service}/dist/main.js`,
  env: listening(placed),
});

/**
 * A replica of every service in one process. Its services ask each other, as they do where there is one process only.
 *
 * @param {Placed[]} placed
 * @param {number} index
 * @returns {Process}
 */
const hostOf = (placed, index) => ({
  service: ALL_IN_ONE,
  name: index === 0 ? ALL_IN_ONE : `${ALL_IN_ONE}-${index + 1}`,
  script: 'deploy/local/dist/all-in-one.js',
  env: { ...targets(placed), ...listeningTogether(placed) },
});

/**
 * @param {import('./paths.mjs').Instance} instance
 * @param {string} service
 */
export const logOf = (instance, service) => path.join(instance.logs, `${service}.log`);

/**
 * Starts what was built of a checkout.
 *
 * @param {{ script: string, env: NodeJS.ProcessEnv, logFile: string, root?: string }} options
 */
export function startScript({ script, env, logFile, root = ROOT }) {
  const { pid } = spawnLogged(runtimeFor(), [path.join(root, script)], {
    // As in the images: the library of expressions reads the parts of a moment by the zone of the machine.
    env: { ...env, TZ: 'UTC' },
    logFile,
    cwd: root,
  });
  return { pid, stop: () => stopProcess(pid, { graceMs: ORDERLY_STOP_MS }) };
}

/** @param {number} port */
async function isReady(port) {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/health/dependencies`, {
      signal: AbortSignal.timeout(2_000),
    });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

/** @param {string} file */
const lastLines = (file) =>
  existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n').slice(-15).join('\n') : '';

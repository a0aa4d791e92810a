// Two releases on the same servers: all services of the release before, and one after the other its successor.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ROOT } from '../../../deploy/local/lib/paths.mjs';
import {
  GATEWAY,
  listening,
  placeServices,
  targets,
} from '../../../deploy/local/lib/placement.mjs';
import { freePort } from '../../../deploy/local/lib/ports.mjs';
import { say, step } from '../../../deploy/local/lib/progress.mjs';
import { startScript } from '../../../deploy/local/lib/services.mjs';
import { untilReady } from '../watch.mjs';
import { askedIn, callersFirst } from './order.mjs';

/** @typedef {import('../../../deploy/local/lib/platform.mjs').Platform} Platform */
/** @typedef {import('../../../deploy/local/lib/placement.mjs').Placed} Placed */

/** Two releases at once are much for a small machine. */
const READY_WITHIN_MS = 180_000;
/** How long both releases of a service work side by side, and how long one pauses before the next. */
const BESIDE_MS = 6_000;
const BETWEEN_MS = 2_000;

/**
 * @param {{ platform: Platform, services: string[], logs: string, previousRoot: string, prepareNext: (env: NodeJS.ProcessEnv) => Promise<void> }} options
 *   `prepareNext` does, with the settings of the services, what the upgrade guide asks for before the first replica of the
 *   next release
 */
export function createFleet({ platform, services, logs, previousRoot, prepareNext }) {
  /** @type {Map<string, { before: Placed, after: Placed }>} */
  const places = new Map();
  /** @type {NodeJS.ProcessEnv} */
  let shared = {};
  /** @type {string | null} */
  let replaced = null;

  /** @param {Placed} placed @param {'before' | 'after'} release */
  async function start(placed, release) {
    const { service } = placed;
    const env = { ...shared, ...listening(placed) };
    // As pods do whose indexes were built by a step of their own.
    if (release === 'after') env.INDEXES_AT_START = 'compare';
    await platform.add({
      name: nameOf(service, release),
      stage: service === GATEWAY ? 3 : 2,
      start: async () =>
        startScript({
          script: `services/${service}/dist/main.js`,
          env,
          logFile: path.join(logs, `${service}.${release}.log`),
          root: release === 'before' ? previousRoot : ROOT,
        }),
    });
  }

  async function untilAllReady() {
    const { readyAfterMs, lacking } = await untilReady(() => platform.parts(), READY_WITHIN_MS);
    if (readyAfterMs === null) throw new Error(`never got ready: ${lacking.join('; ')}`);
    return readyAfterMs;
  }

  return {
    /** The service that is being replaced at the moment. */
    replaced: () => replaced,

    /**
     * Starts the release before, which knows of the places of both.
     *
     * @param {import('../../../deploy/local/lib/infrastructure.mjs').Urls} urls
     * @param {NodeJS.ProcessEnv} settings
     */
    async start(urls, settings) {
      const gatewayPort = await freePort();
      const all = await placeServices({ services, replicas: 2, gatewayPort });
      for (const service of services) {
        const [before, after] = all.filter((placed) => placed.service === service);
        if (before && after) places.set(service, { before, after });
      }
      shared = { ...platform.settingsOf(urls, gatewayPort, settings), ...targets(all) };
      await step(`Starting ${services.length} services of the release before`, async () => {
        for (const { before } of places.values()) await start(before, 'before');
        await untilAllReady();
      });
      const [before, after] = all.filter(({ service }) => service === GATEWAY).map(urlOf);
      const baseUrls = [String(before), String(after)];
      return { baseUrls, targets: targets(all), ready: baseUrls.slice(0, 1) };
    },

    /** Replaces every service, one at a time, callers first. Resolves with their order. @param {import('../http.mjs').Http} http */
    async replaceAll(http) {
      await step('Building the indexes of the next release', () => prepareNext(shared));
      const asked = (/** @type {string} */ name) =>
        askedIn(readFileSync(path.join(ROOT, 'services', name, 'src/config.ts'), 'utf8'));
      const order = callersFirst(Object.fromEntries(services.map((name) => [name, asked(name)])));
      for (const service of order) {
        const { before, after } = /** @type {{ before: Placed, after: Placed }} */ (
          places.get(service)
        );
        replaced = service;
        await start(after, 'after');
        const readyAfterMs = await untilAllReady();
        if (service === GATEWAY) http.use([before, after].map(urlOf));
        await pause(BESIDE_MS);
        if (service === GATEWAY) http.use([urlOf(after)]);
        await platform.retire(nameOf(service, 'before'));
        say(`✓ ${service} replaced; its successor was ready after ${readyAfterMs} ms`);
        await pause(BETWEEN_MS);
        replaced = null;
      }
      return order;
    },
  };
}

/** @param {Placed} placed */
const urlOf = ({ port }) => `http://localhost:${port}`;

/** @param {string} service @param {'before' | 'after'} release */
const nameOf = (service, release) => `${service} (the release ${release})`;

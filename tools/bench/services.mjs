// Platforms of a bench, one after the other: each from nothing, and none left at the end.
import { Platform, playToTheEnd } from '../../deploy/local/lib/platform.mjs';
import { freePort } from '../../deploy/local/lib/ports.mjs';
import { readState } from '../../deploy/local/lib/state.mjs';
import { NO_LIMITS } from '../lib/gateway.mjs';
import { openLinksApart } from '../lib/links.mjs';
import { moreSubjectsOf } from './costs/subjects.mjs';
import { prepareScene, subjectsOf } from './subjects.mjs';

/** @typedef {ReturnType<typeof import('../../deploy/local/lib/paths.mjs').instanceAt>} Instance */
/** @typedef {(how: { processes?: boolean, replicas?: number, lateMs?: number }) => Promise<string[]>} StartServices as for `Platform.startServices`, with
 *   servers whose answers and questions come so much later; ends what ran before */

/**
 * What runs there, by name: services, the store and its gateway.
 *
 * @param {Instance} instance
 * @returns {Record<string, number>} ids of processes
 */
export function processesIn(instance) {
  const parts = readState(instance.state)?.parts ?? [];
  return Object.fromEntries(parts.map(({ name, pid }) => [name, pid]));
}

/**
 * A workspace to measure in, and the rows of it that are asked for, by name.
 *
 * @param {import('./subjects.mjs').Http} http
 * @param {readonly string[]} names
 */
export async function prepareRows(http, names) {
  const scene = await prepareScene(http);
  const subjects = { ...subjectsOf(http, scene), ...(await moreSubjectsOf(http, scene)) };
  return names.map((name) => {
    const subject = subjects[name];
    if (!subject) throw new Error(`there is no row "${name}"`);
    return { name, operation: subject.operation };
  });
}

/**
 * @param {Instance} instance
 * @param {(startServices: StartServices) => Promise<void>} main
 */
export function playWithServices(instance, main) {
  /** @type {Platform | undefined} */
  let platform;
  /** @type {Awaited<ReturnType<typeof openLinksApart>> | undefined} */
  let links;
  return playToTheEnd(
    () => platform,
    () =>
      main(async ({ lateMs = 0, ...how }) => {
        await platform?.stop();
        await links?.close();
        platform = new Platform(instance);
        await platform.beginAnew();
        const urls = await platform.startInfrastructure();
        links = lateMs > 0 ? await openLinksApart(urls, lateMs) : undefined;
        const gatewayPort = await freePort();
        return platform.startServices(links?.urls ?? urls, {
          gatewayPort,
          settings: NO_LIMITS,
          ...how,
        });
      }),
  );
}

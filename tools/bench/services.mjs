// Platforms of a bench, one after the other: each from nothing, and none left at the end.
import { Platform, playToTheEnd } from '../../deploy/local/lib/platform.mjs';
import { freePort } from '../../deploy/local/lib/ports.mjs';
import { readState } from '../../deploy/local/lib/state.mjs';
import { NO_LIMITS } from '../lib/gateway.mjs';

/** @typedef {ReturnType<typeof import('../../deploy/local/lib/paths.mjs').instanceAt>} Instance */
/** @typedef {(how: { processes?: boolean, replicas?: number }) => Promise<string[]>} StartServices as for `Platform.startServices`; ends what ran before */

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
 * @param {Instance} instance
 * @param {(startServices: StartServices) => Promise<void>} main
 */
export function playWithServices(instance, main) {
  /** @type {Platform | undefined} */
  let platform;
  return playToTheEnd(
    () => platform,
    () =>
      main(async (how) => {
        await platform?.stop();
        platform = new Platform(instance);
        await platform.beginAnew();
        const urls = await platform.startInfrastructure();
        const gatewayPort = await freePort();
        return platform.startServices(urls, { gatewayPort, settings: NO_LIMITS, ...how });
      }),
  );
}

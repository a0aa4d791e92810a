// Who listens where: the ports of every service and replica, and the settings that tell the others.
import { freePort, freePortFrom } from './ports.mjs';

/** Speaks HTTP to the world; all others speak gRPC among each other. */
export const GATEWAY = 'gateway';

/** GATEWAY_HOST may name every interface: only a port free on all of them will do. */
const EVERY_INTERFACE = '::';

/**
 * @typedef {{ service: string, name: string, replica: number, port: number, healthPort: number }} Placed one replica of a
 *   service, the first is 1; `port` is the gateway's HTTP port or the gRPC port
 * @typedef {number | Record<string, number>} Replicas of every service, or by name, one where none is named
 *
 * @param {{ services: string[], replicas: Replicas, gatewayPort: number }} wanted
 * @returns {Promise<Placed[]>} the gateways last
 */
export async function placeServices({ services, replicas, gatewayPort }) {
  const placed = [];
  let nextGatewayPort = gatewayPort;
  for (const service of [...services].sort(
    (a, b) => Number(a === GATEWAY) - Number(b === GATEWAY),
  )) {
    const count = typeof replicas === 'number' ? replicas : (replicas[service] ?? 1);
    for (let replica = 1; replica <= count; replica += 1) {
      const port =
        service === GATEWAY
          ? await freePortFrom(nextGatewayPort, EVERY_INTERFACE)
          : await freePort();
      if (service === GATEWAY) nextGatewayPort = port + 1;
      const name = replica === 1 ? service : `${service}-${replica}`;
      placed.push({ service, name, replica, port, healthPort: await freePort() });
    }
  }
  return placed;
}

/** @param {string} service */
const prefixOf = (service) => service.toUpperCase().replaceAll('-', '_');

/**
 * Where the services find each other: `LEDGER_GRPC_TARGET=ipv4:127.0.0.1:5001,127.0.0.1:5002`.
 *
 * @param {Placed[]} placed
 * @returns {Record<string, string>}
 */
export function targets(placed) {
  const settings = /** @type {Record<string, string>} */ ({});
  for (const { service, port } of placed) {
    if (service === GATEWAY) continue;
    const name = `${prefixOf(service)}_GRPC_TARGET`;
    settings[name] = `${settings[name] ? `${settings[name]},` : 'ipv4:'}127.0.0.1:${port}`;
  }
  return settings;
}

/**
 * What one process of its own listens on.
 *
 * @param {Placed} placed
 * @returns {Record<string, string>}
 */
export const listening = ({ service, port, healthPort }) => ({
  [service === GATEWAY ? 'PORT' : 'GRPC_PORT']: String(port),
  HEALTH_PORT: String(healthPort),
});

/**
 * What each process is to host where one hosts a replica of every service.
 *
 * @param {Placed[]} placed the same number of replicas of every service
 * @returns {Placed[][]}
 */
export function hosts(placed) {
  const count = Math.max(...placed.map(({ replica }) => replica));
  return Array.from({ length: count }, (_, index) =>
    placed.filter(({ replica }) => replica === index + 1),
  );
}

/**
 * What a process that hosts all services listens on: LEDGER_GRPC_PORT and the like.
 *
 * @param {Placed[]} placed
 * @returns {Record<string, string>}
 */
export function listeningTogether(placed) {
  const settings = /** @type {Record<string, string>} */ ({});
  for (const each of placed) {
    if (each.service === GATEWAY) Object.assign(settings, listening(each));
    else settings[`${prefixOf(each.service)}_GRPC_PORT`] = String(each.port);
  }
  return settings;
}

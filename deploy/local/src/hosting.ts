/** What a process that hosts several services gives each of them. */

/** The gateway opens the door: it goes down first. */
export const DOOR = 'gateway';

/** Those of `present` that `SERVICES` names, all without it. Throws where it names one that is not there. */
export function hosted(present: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const wanted = env.SERVICES?.split(',').map((name) => name.trim());
  const unknown = wanted?.filter((name) => !present.includes(name)) ?? [];
  if (unknown.length > 0)
    throw new Error(`SERVICES names ${unknown.join(', ')}, which is not here`);
  return present.filter((name) => wanted?.includes(name) ?? true);
}

/**
 * Metrics are kept per process, so one of its services opens the health port, for all of them: not the gateway where there is
 * another, which is begun before it, and a probe that asks whether the process lives does not wait until indexes are built.
 */
export const healthOf = (names: readonly string[]): string | undefined =>
  names.find((name) => name !== DOOR) ?? names[0];

/** What Kubernetes and Docker say of a service by themselves: `GATEWAY_PORT=tcp://10.0.0.1:80`. */
const SERVICE_LINK = /^(tcp|udp|sctp):\/\//;

/**
 * The environment of one service: what is named after it counts for it alone. `LEDGER_GRPC_PORT` becomes the GRPC_PORT
 * of the ledger, `LEDGER_MONGODB_URI` its account of the database.
 */
export function environmentOf(
  name: string,
  names: readonly string[],
  env: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const prefix = `${name.toUpperCase()}_`;
  // Where the service is reached is said to all, and is no setting of its own.
  const own = Object.entries(env).filter(
    ([variable, value = '']) =>
      variable.startsWith(prefix) &&
      !variable.endsWith('_GRPC_TARGET') &&
      !SERVICE_LINK.test(value),
  );
  return {
    ...env,
    GRPC_PORT: undefined,
    ...Object.fromEntries(own.map(([variable, value]) => [variable.slice(prefix.length), value])),
    HEALTH_PORT: name === healthOf(names) ? env.HEALTH_PORT : '0',
  };
}

import { readFileSync } from 'node:fs';
import { createRpcClient, type Services } from '@laurel/rpc';
import { until } from '@laurel/testing';
import { call, gateways } from './api';

const GATEWAY = 'gateway';
/** The process that hosts every service, where they have none of their own. */
const HOST = 'all-in-one';
/** Longer than a service takes to finish what it is at and a new process to start, on a busy machine. */
const BACK_WITHIN_MS = 60_000;

/** So many services are upgraded at once. */
const WAVE = 3;

interface Part {
  name: string;
  pid: number;
}

/** Every process of the platform under test, as its starter wrote them down. */
function parts(): Part[] {
  const file = process.env.LAUREL_STATE_FILE;
  if (!file)
    throw new Error('LAUREL_STATE_FILE is not set: run the end-to-end tests with npm test');
  return JSON.parse(readFileSync(file, 'utf8')).parts;
}

/** Where a service's replicas listen, in the order of their names. */
const addressesOf = (service: string): string[] =>
  (process.env[`${service.toUpperCase()}_GRPC_TARGET`] ?? '')
    .replace(/^ipv4:/, '')
    .split(',')
    .filter(Boolean);

/** The names of all replicas, gateways last: `ledger`, `ledger-2`, ..., `gateway`, `gateway-2`. */
export function replicas(): string[] {
  const names = parts()
    .map(({ name }) => name)
    .filter((name) => serviceOf(name) === GATEWAY || addressesOf(serviceOf(name)).length > 0);
  return names.sort((a, b) => Number(isGateway(a)) - Number(isGateway(b)) || (a < b ? -1 : 1));
}

/**
 * The replicas in the order of an upgrade: several services at a time, never two replicas of one service, and each
 * gateway alone.
 */
export function waves(): string[][] {
  const names = replicas();
  const behind = names.filter((name) => !isGateway(name));
  const found: string[][] = [];
  for (const name of behind.sort((a, b) => indexOf(a) - indexOf(b))) {
    const wave = found.at(-1);
    if (wave && wave.length < WAVE && indexOf(wave[0]!) === indexOf(name)) wave.push(name);
    else found.push([name]);
  }
  return [...found, ...names.filter(isGateway).map((name) => [name])];
}

const serviceOf = (name: string): string => name.replace(/-\d+$/, '');
const indexOf = (name: string): number => Number(/-(\d+)$/.exec(name)?.[1] ?? 1) - 1;
const isGateway = (name: string): boolean => serviceOf(name) === GATEWAY;
/** Where a gateway answers; undefined for any other replica. */
export const urlOf = (name: string): string | undefined =>
  isGateway(name) ? gateways()[indexOf(name)] : undefined;

async function isReady(name: string): Promise<boolean> {
  const gateway = urlOf(name);
  if (gateway) return (await call('GET', '!/health/dependencies', { gateway })).status === 200;
  const target = `ipv4:${addressesOf(serviceOf(name))[indexOf(name)]}`;
  const client = createRpcClient(serviceOf(name) as keyof Services, { target });
  try {
    await client.ready();
    return true;
  } finally {
    client.close();
  }
}

/** The process of a service, or the one that hosts all of them. */
export function processOf(service: string): number {
  const all = parts();
  const found = all.find(({ name }) => name === service) ?? all.find(({ name }) => name === HOST);
  if (!found) throw new Error(`there is no ${service}`);
  return found.pid;
}

/** Ends a service's first replica without a word, and waits until another process stands in its place. */
export async function kill(service: string): Promise<void> {
  const pid = processOf(service);
  process.kill(pid, 'SIGKILL');
  const within = { withinMs: BACK_WITHIN_MS, everyMs: 100 };
  await until(() => processOf(service) !== pid, { ...within, what: `${service} started again` });
}

/** Asks a replica to end, as a rolling update does, and waits until another process stands in its place, ready. */
export async function restart(name: string): Promise<void> {
  const old = parts().find((part) => part.name === name);
  if (!old) throw new Error(`there is no ${name}`);
  process.kill(old.pid, 'SIGTERM');
  const within = { withinMs: BACK_WITHIN_MS, everyMs: 100, what: `${name} restarted` };
  await until(() => parts().some((part) => part.name === name && part.pid !== old.pid), within);
  await until(() => isReady(name).catch(() => false), within);
}

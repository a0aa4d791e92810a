/**
 * Every service in one process: the same composition roots as in production, talking to each other over the same gRPC
 * and the same broker, only without a process each. Needs a fraction of the memory and starts in a few seconds.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';

/** What every service package exports. */
interface ServiceModule {
  start(env: NodeJS.ProcessEnv): Promise<Running>;
}

interface Running {
  stop(): Promise<void>;
}

const SERVICES = path.resolve(__dirname, '../../../services');

/** The gateway opens the door: it comes up last and goes down first. */
const DOOR = 'gateway';

const isInstalled = (name: string) => existsSync(path.join(SERVICES, name, 'package.json'));

/**
 * The environment of one service. `LEDGER_GRPC_PORT` becomes the GRPC_PORT of the ledger; the health port is opened
 * once, by the gateway, because metrics and health are kept per process.
 */
function environmentOf(name: string): NodeJS.ProcessEnv {
  const { HEALTH_PORT = '0', ...shared } = process.env;
  return {
    ...shared,
    GRPC_PORT: process.env[`${name.toUpperCase()}_GRPC_PORT`],
    HEALTH_PORT: name === DOOR ? HEALTH_PORT : '0',
  };
}

async function startService(name: string): Promise<Running> {
  const service: ServiceModule = require(path.join(SERVICES, name));
  return service.start(environmentOf(name));
}

async function main(): Promise<void> {
  const names = readdirSync(SERVICES).filter(isInstalled);
  const behindTheDoor = names.filter((name) => name !== DOOR);
  const services = await Promise.all(behindTheDoor.map(startService));
  const door = names.includes(DOOR) ? await startService(DOOR) : undefined;

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await door?.stop();
    await Promise.all(services.map((service) => service.stop()));
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void stop().catch(fail));
}

function fail(error: unknown): never {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(
    `${JSON.stringify({ level: 'fatal', service: 'all-in-one', msg: message })}\n`,
  );
  process.exit(1);
}

main().catch(fail);

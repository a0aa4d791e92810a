/**
 * Every service in one process: the same composition roots as in production, talking to each other over the same gRPC
 * and the same broker, only without a process each. Needs a fraction of the memory and starts in a few seconds.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createLogger, type Running, runAsProcess } from '@laurel/lifecycle';

/** What every service package exports. */
interface ServiceModule {
  start(env: NodeJS.ProcessEnv): Promise<Running>;
}

const SERVICES = path.resolve(__dirname, '../../../services');

/** The gateway opens the door: it comes up last and goes down first. */
const DOOR = 'gateway';

const isService = (name: string) => existsSync(path.join(SERVICES, name, 'package.json'));

/**
 * The environment of one service. `LEDGER_GRPC_PORT` becomes the GRPC_PORT of the ledger; the health port is opened
 * once, by the gateway, because metrics are kept per process.
 */
function environmentOf(name: string): NodeJS.ProcessEnv {
  return {
    ...process.env,
    GRPC_PORT: process.env[`${name.toUpperCase()}_GRPC_PORT`],
    HEALTH_PORT: name === DOOR ? process.env.HEALTH_PORT : '0',
  };
}

/** Found by folder, like the build finds them, so that a new service needs no line here. */
function startService(name: string): Promise<Running> {
  const service: ServiceModule = require(path.join(SERVICES, name));
  return service.start(environmentOf(name));
}

async function startAll(): Promise<Running> {
  const names = readdirSync(SERVICES).filter(isService);
  const services = await Promise.all(names.filter((name) => name !== DOOR).map(startService));
  const door = await startService(DOOR);
  return {
    async stop() {
      await door.stop();
      await Promise.all(services.map((service) => service.stop()));
    },
  };
}

runAsProcess(createLogger('all-in-one'), startAll);

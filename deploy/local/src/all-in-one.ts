/**
 * Every service in one process, or those that SERVICES names: the same composition roots as in production, the same
 * messages and the same broker, only without a process each, and without a connection where one asks another
 * (docs/adr/0031). Needs a fraction of the memory and starts in a few seconds.
 */
import '@laurel/lifecycle/source-maps';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { createLogger, Health, type Running, runAsProcess } from '@laurel/lifecycle';
import { shareProcess } from '@laurel/rpc';
import { DOOR, environmentOf, hosted } from './hosting';

/** What every service package exports. */
interface ServiceModule {
  start(env: NodeJS.ProcessEnv): Promise<Running>;
}

const SERVICES = path.resolve(__dirname, '../../../services');

const isService = (name: string) => existsSync(path.join(SERVICES, name, 'package.json'));

/** Found by folder, like the build finds them, so that a new service needs no line here. */
const names = hosted(readdirSync(SERVICES).filter(isService), process.env);

function startService(name: string): Promise<Running> {
  const service: ServiceModule = require(path.join(SERVICES, name));
  return service.start(environmentOf(name, names, process.env));
}

shareProcess();

async function startAll(): Promise<Running> {
  // Of what is still to come the health port knows nothing: the process is not ready before all of it is there.
  const whole = new Health('process');
  const started = (wanted: readonly string[]) => Promise.all(wanted.map(startService));
  const behind = names.filter((name) => name !== DOOR);
  // The door is made while the others wait for their servers, of which it needs few.
  const door = names.filter((name) => name === DOOR);
  const [services, doors] = await Promise.all([started(behind), started(door)]);
  whole.end();
  return {
    async stop() {
      await Promise.all(doors.map((service) => service.stop()));
      await Promise.all(services.map((service) => service.stop()));
    },
  };
}

runAsProcess(createLogger('all-in-one'), startAll);

// A private RabbitMQ from the system's package: its own ports, cookie, name service and data, no plug-ins.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findOnPath } from './lib/on-path.mjs';
import { freePort, freePortFrom, isListening, PATIENCE_MS, waitUntil } from './lib/ports.mjs';
import { isAlive, spawnLogged, stopProcess } from './lib/processes.mjs';

/** Debian's inner script: the one on its PATH switches to the system's rabbitmq user. */
const DEBIAN_SERVER = '/usr/lib/rabbitmq/bin/rabbitmq-server';

/** @returns {string | undefined} the program that starts a broker on this machine */
export const rabbitmqServer = () =>
  existsSync(DEBIAN_SERVER) ? DEBIAN_SERVER : findOnPath('rabbitmq-server');

/** What the broker takes before it reads nothing more of who publishes. */
export const MEMORY_MAX = '1GB';
/** With less left on its disk it does the same. */
export const DISK_FREE_MIN = '100MB';
/** Absolute limits: the relative defaults refuse to publish on a machine with a small or busy disk. */
const BROKER_CONFIG = `\
disk_free_limit.absolute = ${DISK_FREE_MIN}
vm_memory_high_watermark.absolute = ${MEMORY_MAX}
`;

/** Where the broker on a port is reached, started or not. @param {number} port */
export const urlOfRabbitmq = (port) => `amqp://guest:guest@127.0.0.1:${port}`;

/**
 * @param {{ dataDir: string, logFile: string, port?: number }} options
 * @returns {Promise<{ pid: number, helpers: Record<string, number>, port: number, url: string, stop(): Promise<void> }>}
 */
export async function startRabbitmq({ dataDir, logFile, port }) {
  const chosen = port ?? (await freePortFrom(5672));
  const nameServicePort = await freePort();
  const env = {
    ...process.env,
    ...writeBrokerHome(dataDir, logFile),
    RABBITMQ_NODE_PORT: String(chosen),
    RABBITMQ_DIST_PORT: String(await freePort()),
    ERL_EPMD_PORT: String(nameServicePort),
  };

  // Erlang would start its name service as a daemon that outlives the broker: ours has a pid that we can end.
  const nameService = spawnLogged(
    'epmd',
    ['-port', String(nameServicePort), '-address', '127.0.0.1'],
    { logFile },
  );
  const { pid } = spawnLogged(rabbitmqServer() ?? DEBIAN_SERVER, [], {
    logFile,
    env,
    cwd: dataDir,
  });
  const stop = async () => {
    await stopProcess(pid, { graceMs: 30_000 });
    await stopProcess(nameService.pid);
  };

  try {
    await waitUntil(() => isListening(chosen), {
      what: 'RabbitMQ',
      withinMs: PATIENCE_MS,
      stillPossible: () => isAlive(pid),
      hint: `See ${logFile}`,
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    pid,
    helpers: { epmd: nameService.pid },
    port: chosen,
    url: urlOfRabbitmq(chosen),
    stop,
  };
}

/**
 * Writes the files that the broker reads, once, and says where they and its data are.
 *
 * @param {string} dataDir
 * @param {string} logFile
 */
function writeBrokerHome(dataDir, logFile) {
  mkdirSync(dataDir, { recursive: true });
  const cookie = path.join(dataDir, '.erlang.cookie');
  if (!existsSync(cookie)) writeFileSync(cookie, randomBytes(24).toString('hex'), { mode: 0o400 });
  const config = path.join(dataDir, 'rabbitmq.conf');
  writeFileSync(config, BROKER_CONFIG);
  const plugins = path.join(dataDir, 'enabled_plugins');
  writeFileSync(plugins, '[].\n');
  return {
    HOME: dataDir,
    // The name is part of the data: another one would start empty.
    RABBITMQ_NODENAME: 'laurel@localhost',
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_MNESIA_BASE: path.join(dataDir, 'data'),
    RABBITMQ_LOG_BASE: path.dirname(logFile),
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: path.join(dataDir, 'rabbitmq.pid'),
    RABBITMQ_CONFIG_FILE: config,
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
    RABBITMQ_CONF_ENV_FILE: path.join(dataDir, 'rabbitmq-env.conf'),
    // Erlang's schedulers spin for work by default: on two cores they would take it from everything else. And it offers
    // its distribution port, through which everything can be done, on every interface.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      '+sbwt none +sbwtdcpu none +sbwtdio none -kernel inet_dist_use_interface {127,0,0,1}',
    // Replaces the wrapping shell by the broker, so that its pid is the one we know; SIGTERM stops it in order.
    RUNNING_UNDER_SYSTEMD: 'true',
  };
}

import type net from 'node:net';
import { createDelay } from './commands/delays';
import { Dispatcher } from './commands/dispatcher';
import { FailCommand } from './commands/fail-command';
import { dropCursors } from './commands/reads';
import type { GatewayConfig } from './config';
import { EngineConnection } from './engine/connection';
import { EnginePool } from './engine/pool';
import { ClientConnection, listen } from './server';
import { Cursors } from './session/cursors';
import { Sessions } from './session/sessions';

/** A gateway that is listening. */
export interface Gateway {
  port: number;
  /** Refuses new work, lets commands in progress finish, rolls back open transactions, closes everything. */
  stop(): Promise<void>;
}

/** One line about something the operator should know. */
export type Log = (event: string, details?: Record<string, unknown>) => void;

/** Safety net behind the gateway's own limit: the engine ends transactions that are left open. */
const ENGINE_TIMEOUT_MARGIN_MS = 5000;

/**
 * Starts a gateway; the engine must be reachable.
 * @throws ConnectionLost | EngineError when it is not, or Error when the port is taken
 */
export async function startGateway(config: GatewayConfig, log: Log): Promise<Gateway> {
  const pool = new EnginePool({
    size: config.poolSize,
    reserved: Math.max(1, Math.floor(config.poolSize / 4)),
    waitMs: config.poolWaitMs,
    connect: () => EngineConnection.connect(config.engine, engineSettings(config)),
  });
  pool.release(await pool.acquire('statement'));
  const cursors = new Cursors(config.cursorIdleMs);
  const sessions = new Sessions(pool, config, (transaction) =>
    cursors.transactionEnded(transaction),
  );
  const failCommand = config.testCommands ? new FailCommand() : null;
  const dispatcher = new Dispatcher({ pool, sessions, cursors, failCommand });
  const delay = createDelay(config.delayMsMax);
  const clients = new Set<ClientConnection>();
  let lastId = 0;
  const server = await listen(config.port, config.maxClients, (socket) => {
    const client = new ClientConnection(++lastId, socket, {
      dispatcher,
      delay,
      onClose(gone) {
        clients.delete(client);
        sessions.clientGone(gone);
      },
      onFault: (error) => log('client connection dropped', { reason: String(error) }),
    });
    clients.add(client);
  });
  const reaper = setInterval(
    () => void reap({ sessions, cursors, pool }, log),
    config.reapIntervalMs,
  );
  const stop = async () => {
    clearInterval(reaper);
    await shutDown({ server, clients, sessions, pool }, config.shutdownGraceMs);
  };
  return { port: (server.address() as net.AddressInfo).port, stop };
}

/** Server parameters of every engine connection. */
function engineSettings({ transactionLifetimeMs }: GatewayConfig): Record<string, string> {
  return {
    user: 'postgres',
    database: 'postgres',
    // Tells the operator which gateway a backend belongs to.
    application_name: `documentdb-gateway ${process.pid}`,
    client_encoding: 'UTF8',
    client_min_messages: 'error',
    search_path: 'documentdb_api,documentdb_core,public',
    idle_in_transaction_session_timeout: String(transactionLifetimeMs + ENGINE_TIMEOUT_MARGIN_MS),
    // Transactions that touch the same two documents in different order should not hang for a second.
    deadlock_timeout: '100ms',
    // Pages after the first go on where the last one stopped, on any connection, in place of reading it all again.
    'documentdb.useFileBasedPersistedCursors': 'on',
    'documentdb.enableDynamicCursors': 'on',
  };
}

/** What a running gateway is made of. */
interface Parts {
  server: net.Server;
  clients: ReadonlySet<ClientConnection>;
  sessions: Sessions;
  cursors: Cursors;
  pool: EnginePool;
}

async function reap(
  { sessions, cursors, pool }: Pick<Parts, 'sessions' | 'cursors' | 'pool'>,
  log: Log,
): Promise<void> {
  const now = Date.now();
  sessions.reap(now);
  const idle = cursors.reap(now);
  if (idle.length === 0) return;
  try {
    const connection = await pool.acquire('statement');
    await dropCursors((statements) => connection.run(statements), idle).finally(() =>
      pool.release(connection),
    );
  } catch (error) {
    log('idle cursors could not be dropped', { reason: String(error) });
  }
}

async function shutDown(
  { server, clients, sessions, pool }: Omit<Parts, 'cursors'>,
  graceMs: number,
): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  const ended = Promise.all([...clients].map((client) => client.end()));
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise((resolve) => {
    timer = setTimeout(resolve, graceMs);
  });
  await Promise.race([ended, patience]);
  clearTimeout(timer);
  await sessions.abortAll('The gateway is shutting down');
  for (const client of clients) client.destroy();
  await closed;
  pool.close();
}

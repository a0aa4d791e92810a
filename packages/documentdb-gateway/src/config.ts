import type { EngineAddress } from './engine/connection';

/** Settings of a gateway; times in milliseconds. */
export interface GatewayConfig {
  /** Port on 127.0.0.1; 0 takes a free one. */
  port: number;
  engine: EngineAddress;
  poolSize: number;
  /** Longest wait of a command for an engine connection. */
  poolWaitMs: number;
  maxClients: number;
  transactionLifetimeMs: number;
  cursorIdleMs: number;
  sessionIdleMs: number;
  /** How often expired transactions, cursors and sessions are looked for. */
  reapIntervalMs: number;
  /** How long a shutdown waits for commands in progress. */
  shutdownGraceMs: number;
  /** Whether `configureFailPoint` is answered: everybody who reaches the port could make commands fail. */
  testCommands: boolean;
  /** Longest time that commands are held back, at random; 0 holds none back. */
  delayMsMax: number;
}

const MINUTE_MS = 60_000;

/**
 * Reads the settings from the environment. This is infrastructure that starts before any platform package, so it
 * reads the environment itself, here and nowhere else.
 * @throws Error naming the variable that is not a positive number
 */
export function readConfig(env: NodeJS.ProcessEnv): GatewayConfig {
  const number = (name: string, fallback: number, min = 1): number => {
    const text = env[name];
    const value = text ? Number(text) : fallback;
    if (!Number.isInteger(value) || value < min)
      throw new Error(`${name} must be a whole number from ${min}`);
    return value;
  };
  const socket = env.DOCUMENTDB_ENGINE_SOCKET;
  return {
    port: number('DOCUMENTDB_GATEWAY_PORT', 27017, 0),
    engine: socket
      ? { path: socket }
      : {
          host: env.DOCUMENTDB_ENGINE_HOST || '127.0.0.1',
          port: number('DOCUMENTDB_ENGINE_PORT', 5432),
        },
    poolSize: number('DOCUMENTDB_POOL_SIZE', 20, 2),
    poolWaitMs: number('DOCUMENTDB_POOL_WAIT_MS', 10_000),
    maxClients: number('DOCUMENTDB_MAX_CLIENTS', 2000),
    transactionLifetimeMs: number('DOCUMENTDB_TRANSACTION_LIFETIME_MS', MINUTE_MS),
    cursorIdleMs: number('DOCUMENTDB_CURSOR_IDLE_MS', 10 * MINUTE_MS),
    sessionIdleMs: number('DOCUMENTDB_SESSION_IDLE_MS', 30 * MINUTE_MS),
    reapIntervalMs: number('DOCUMENTDB_REAP_INTERVAL_MS', 1000),
    shutdownGraceMs: number('DOCUMENTDB_SHUTDOWN_GRACE_MS', 5000),
    testCommands: env.DOCUMENTDB_TEST_COMMANDS === '1',
    delayMsMax: number('DOCUMENTDB_DELAY_MS_MAX', 0, 0),
  };
}

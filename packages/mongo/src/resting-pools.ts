import { driverFile } from './driver';

type Options = Record<string, unknown>;
type Pools = { ConnectionPool: new (server: unknown, options: Options) => object };

/** A pool that was emptied fills itself at once, and work that needs a connection makes one: the clock only looks for idle ones. */
const LOOK_MS = 2_000;

/**
 * Lets a pool look for connections that are missing or too old every two seconds. The driver (7.8.0,
 * `ConnectionPool.ensureMinPoolSize`) looks ten times a second, and its own option for that cannot be given to a client: of
 * all that woke a platform at rest, eleven pools in one process were half. To be called before the first connection.
 */
export function letPoolsRest(): void {
  const pools = driverFile<Pools>('cmap/connection_pool');
  const { ConnectionPool } = pools;
  pools.ConnectionPool = class RestingPool extends ConnectionPool {
    constructor(server: unknown, options: Options) {
      super(server, { ...options, minPoolSizeCheckFrequencyMS: LOOK_MS });
    }
  };
}

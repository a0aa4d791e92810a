import type { Connection } from 'mongoose';

const POOL_SIZE_DEFAULT = 16;

/** Lets a bounded number of units of work in at once, first come, first served. */
class Gate {
  private inside = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly capacity: number) {}

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.inside < this.capacity) this.inside += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.inside -= 1;
    }
  }
}

const gates = new WeakMap<Connection, Gate>();

/**
 * The gate of a connection pool, half as wide as the pool: transactions that wait for the server to
 * begin never hold every connection that those under way need for their next statement.
 */
export function gateOf(connection: Connection): Gate {
  const known = gates.get(connection);
  if (known) return known;
  const poolSize = connection.getClient().options.maxPoolSize ?? POOL_SIZE_DEFAULT;
  const made = new Gate(Math.max(1, Math.floor(poolSize / 2)));
  gates.set(connection, made);
  return made;
}

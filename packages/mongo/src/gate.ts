import { createTurnstile, type Turnstile } from '@laurel/lifecycle';
import type { Connection } from 'mongoose';

const POOL_SIZE_DEFAULT = 16;

const gates = new WeakMap<Connection, Turnstile>();

/**
 * The gate of a connection pool, half as wide as the pool: transactions that wait for the server to
 * begin never hold every connection that those under way need for their next statement.
 */
export function gateOf(connection: Connection): Turnstile {
  const known = gates.get(connection);
  if (known) return known;
  const poolSize = connection.getClient().options.maxPoolSize ?? POOL_SIZE_DEFAULT;
  const made = createTurnstile(Math.max(1, Math.floor(poolSize / 2)));
  gates.set(connection, made);
  return made;
}

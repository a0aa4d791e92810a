import { Counter, createSharedReads, metrics, within } from '@laurel/lifecycle';

/** What the cache answered; `away` costs a call of identity for each request. */
const reads = new Counter({
  name: 'auth_cache_reads_total',
  help: 'Answers asked of the cache of principals and memberships, by outcome: known, unknown, or away (Redis is).',
  labelNames: ['outcome'],
  registers: [metrics.registry],
});

/** The one command of a Redis client that reading needs. */
interface ReadingRedis {
  isReady: boolean;
  get(key: string): Promise<string | null>;
}

const READ_MS_MAX = 250;

type ReadKey = (key: string) => Promise<unknown>;
const readers = new WeakMap<ReadingRedis, ReadKey>();

/**
 * Reads cached answers; null where the cache does not know. Redis being down,
 * slow or holding nonsense is "does not know" as well: the caller then asks identity, so a broken
 * cache never opens a door. All who ask for a key while it is being read share the next read of it, and what that
 * finds, which they may not change.
 */
export async function readAuth<T>(
  redis: ReadingRedis,
  keys: readonly string[],
): Promise<(T | null)[]> {
  const unknown = keys.map(() => null);
  if (keys.length === 0) return unknown;
  if (!redis.isReady) return away(unknown);
  const read = readerOf(redis);
  try {
    const values = await Promise.all(keys.map((key) => read(key)));
    for (const value of values) reads.inc({ outcome: value === undefined ? 'unknown' : 'known' });
    return values.map((value) => (value === undefined ? null : (value as T)));
  } catch {
    return away(unknown);
  }
}

/** Each key by itself: of a cluster one node may be away, and none of the others is to wait for it. */
function readerOf(redis: ReadingRedis): ReadKey {
  const known = readers.get(redis) ?? createSharedReads((key: string) => readOne(redis, key));
  readers.set(redis, known);
  return known;
}

/** What is known by a key; what is no JSON is not known. */
async function readOne(redis: ReadingRedis, key: string): Promise<unknown> {
  const text = await within(READ_MS_MAX, redis.get(key));
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function away<T>(unknown: T[]): T[] {
  reads.inc({ outcome: 'away' }, unknown.length);
  return unknown;
}

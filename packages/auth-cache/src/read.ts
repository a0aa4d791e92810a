import { Counter, metrics } from '@laurel/lifecycle';

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

/**
 * Reads cached answers; null where the cache does not know. Redis being down,
 * slow or holding nonsense is "does not know" as well: the caller then asks identity, so a broken
 * cache never opens a door.
 */
export async function readAuth<T>(
  redis: ReadingRedis,
  keys: readonly string[],
): Promise<(T | null)[]> {
  const unknown = keys.map(() => null);
  if (keys.length === 0) return unknown;
  if (!redis.isReady) return away(unknown);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), READ_MS_MAX);
  });
  try {
    // Sent together: of a cluster each key may be another node's, which one command cannot ask.
    const asked = Promise.all(keys.map((key) => redis.get(key)));
    const values = await Promise.race([asked, late]);
    if (values === null) return away(unknown);
    for (const value of values) reads.inc({ outcome: value === null ? 'unknown' : 'known' });
    return values.map((value) => (value === null ? null : JSON.parse(value)));
  } catch {
    return away(unknown);
  } finally {
    clearTimeout(timer);
  }
}

function away<T>(unknown: T[]): T[] {
  reads.inc({ outcome: 'away' }, unknown.length);
  return unknown;
}

import { Counter, createSharedLookups, metrics, within } from '@laurel/lifecycle';

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

type LookUp = (key: string) => Promise<unknown>;
const lookUps = new WeakMap<ReadingRedis, LookUp>();

/**
 * Reads cached answers; null where the cache does not know. Redis being down,
 * slow or holding nonsense is "does not know" as well: the caller then asks identity, so a broken
 * cache never opens a door. All who ask while a read is under way share the next one, and what it found, which they may
 * not change.
 */
export async function readAuth<T>(
  redis: ReadingRedis,
  keys: readonly string[],
): Promise<(T | null)[]> {
  const unknown = keys.map(() => null);
  if (keys.length === 0) return unknown;
  if (!redis.isReady) return away(unknown);
  try {
    const values = await Promise.all(keys.map(lookUpOf(redis)));
    for (const value of values) reads.inc({ outcome: value === undefined ? 'unknown' : 'known' });
    return values.map((value) => (value === undefined ? null : (value as T)));
  } catch {
    return away(unknown);
  }
}

function lookUpOf(redis: ReadingRedis): LookUp {
  const known =
    lookUps.get(redis) ?? createSharedLookups<string, unknown>((keys) => readAll(redis, keys));
  lookUps.set(redis, known);
  return known;
}

/** What is known by some keys; what is no JSON is not known. */
async function readAll(
  redis: ReadingRedis,
  keys: readonly string[],
): Promise<Map<string, unknown>> {
  // Sent together: of a cluster each key may be another node's, which one command cannot ask.
  const asked = Promise.all(keys.map((key) => redis.get(key)));
  const texts = await within(READ_MS_MAX, asked);
  return new Map(texts.flatMap((text, index) => parsed(keys[index]!, text)));
}

function parsed(key: string, text: string | null): [string, unknown][] {
  if (text === null) return [];
  try {
    return [[key, JSON.parse(text)]];
  } catch {
    return [];
  }
}

function away<T>(unknown: T[]): T[] {
  reads.inc({ outcome: 'away' }, unknown.length);
  return unknown;
}

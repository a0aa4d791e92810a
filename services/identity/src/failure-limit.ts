import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { refusals } from './refusals';

/** Counts failed attempts per minute under several keys at once (the IP, the address). */
export interface FailureLimit {
  /** Refuses RATE_LIMITED when any key has used up its failures. */
  check(keys: readonly string[]): Promise<void>;
  /** Counts a failure; refuses RATE_LIMITED when it was one too many. */
  count(keys: readonly string[]): Promise<void>;
}

const WINDOW_SECONDS = 60;

/** Kept in Redis for all replicas; in this process alone while Redis is away. */
export function createFailureLimit(redis: unknown, name: string, perMinute: number): FailureLimit {
  const limiter = new RateLimiterRedis({
    storeClient: redis,
    useRedisPackage: true,
    keyPrefix: `failures:${name}`,
    points: perMinute,
    duration: WINDOW_SECONDS,
    insuranceLimiter: new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS }),
  });
  // Addresses are personal data: they stand in Redis as digests only.
  const keyOf = (key: string): string => createHash('sha256').update(key).digest('base64url');

  return {
    async check(keys) {
      const counts = await Promise.all(keys.map((key) => limiter.get(keyOf(key))));
      const full = counts.filter((count) => count !== null && count.consumedPoints >= perMinute);
      if (full.length > 0) throw refusals.tooManyFailures(secondsUntil(full));
    },
    async count(keys) {
      const counts = await Promise.all(
        keys.map((key) => limiter.consume(keyOf(key)).catch(exceeded)),
      );
      const over = counts.filter((count) => count !== null && count.consumedPoints > perMinute);
      if (over.length > 0) throw refusals.tooManyFailures(secondsUntil(over));
    },
  };
}

/** The limiter throws its count when a key is past the limit, and an Error when something broke. */
function exceeded(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

function secondsUntil(counts: readonly (RateLimiterRes | null)[]): number {
  const waitMs = Math.max(...counts.map((count) => count?.msBeforeNext ?? 0));
  return Math.max(1, Math.ceil(waitMs / 1_000));
}

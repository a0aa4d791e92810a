import { createHash } from 'node:crypto';
import type { Refusal } from '@laurel/errors';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { refusals } from '../refusals';

/** Counts failed attempts per minute under a key. */
export interface FailureLimit {
  /** Refuses RATE_LIMITED when the key has used up its failures. */
  check(key: string): Promise<void>;
  /** Counts a failure; refuses RATE_LIMITED when it was one too many. */
  count(key: string): Promise<void>;
  /**
   * Counts an attempt before its outcome is known, so that of many at once no more come through than of as many one after
   * the other; refuses RATE_LIMITED when it is one too many.
   *
   * @returns takes the count back: the attempt was no failure
   */
  take(key: string): Promise<() => Promise<void>>;
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

  const self: FailureLimit = {
    async check(key) {
      const count = await limiter.get(keyOf(key));
      if (count && count.consumedPoints >= perMinute) throw tooMany(count);
    },
    async count(key) {
      const count = await limiter.consume(keyOf(key)).catch(exceeded);
      if (count.consumedPoints > perMinute) throw tooMany(count);
    },
    async take(key) {
      await self.count(key);
      return async () => {
        await limiter.reward(keyOf(key));
      };
    },
  };
  return self;
}

/** The limiter throws its count when a key is past the limit, and an Error when something broke. */
function exceeded(thrown: unknown): RateLimiterRes {
  if (thrown instanceof RateLimiterRes) return thrown;
  throw thrown;
}

function tooMany({ msBeforeNext }: RateLimiterRes): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  return refusals.tooManyFailures({ retryAfterSeconds });
}

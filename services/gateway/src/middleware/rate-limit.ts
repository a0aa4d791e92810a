import type { Redis } from '@laurel/backend';
import { platform } from '@laurel/errors';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitName } from '../routing';

const WINDOW_SECONDS = 60;

export interface RateLimits {
  /** Counts one request; throws RATE_LIMITED once the limit is passed. Sets the `RateLimit` headers. */
  consume(name: LimitName, key: string, response: Response): Promise<void>;
}

/** For whoever was counted already. */
export const uncounted: RateLimits = { consume: async () => {} };

/**
 * Limits that hold over all gateways, counted in Redis over a minute that starts with the first
 * request. While Redis is away each gateway counts for itself against the same limit: never open.
 */
export function createRateLimits(
  redis: Redis,
  limits: Readonly<Record<LimitName, number>>,
): RateLimits {
  const limiters = new Map(
    Object.entries(limits).map(([name, points]) => {
      const insuranceLimiter = new RateLimiterMemory({
        keyPrefix: `limit:${name}`,
        points,
        duration: WINDOW_SECONDS,
      });
      const limiter = new RateLimiterRedis({
        storeClient: redis,
        useRedisPackage: true,
        keyPrefix: `limit:${name}`,
        points,
        duration: WINDOW_SECONDS,
        insuranceLimiter,
      });
      return [name, { limiter, points }];
    }),
  );
  return {
    async consume(name, key, response) {
      const { limiter, points } = limiters.get(name)!;
      let state: RateLimiterRes;
      let refused = false;
      try {
        state = await limiter.consume(key);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        state = error;
        refused = true;
      }
      const seconds = Math.max(1, Math.ceil(state.msBeforeNext / 1_000));
      const label = name.toLowerCase().replaceAll('_', '-');
      response.setHeader('RateLimit-Policy', `"${label}";q=${points};w=${WINDOW_SECONDS}`);
      response.setHeader(
        'RateLimit',
        `"${label}";r=${Math.max(0, state.remainingPoints)};t=${seconds}`,
      );
      if (refused) throw platform.rateLimited({ retryAfterSeconds: seconds });
    },
  };
}

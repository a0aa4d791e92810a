import type { Redis } from '@laurel/backend';
import { platform } from '@laurel/errors';
import { Neighbours, type Waiting } from '@laurel/lifecycle';
import type { Response } from 'express';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { LimitName } from '../routing';

const WINDOW_SECONDS = 60;

export interface RateLimits {
  /** Counts one request; throws RATE_LIMITED once the limit is passed. Sets the `RateLimit` headers. */
  consume(name: LimitName, key: string, response: Response): Promise<void>;
}

/** For a caller who was counted already. */
export const uncounted: RateLimits = { consume: async () => {} };

/** Counting that fails is nothing that one of those who are counted has caused. */
const NOT_OF_SOME = (): boolean => false;

/** How many came with a key in its minute, this one among them, and how long that still lasts. */
interface Count {
  consumed: number;
  msLeft: number;
}

/**
 * Limits that hold over all gateways, counted in Redis over a minute that starts with the first
 * request. While Redis is away each gateway counts for itself against the same limit: never open. What comes with one key
 * while its last requests are being counted is counted together, in the order in which it came.
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
      return [
        name,
        { counting: new Neighbours(countWith(limiter), undefined, NOT_OF_SOME), points },
      ];
    }),
  );
  return {
    async consume(name, key, response) {
      const { counting, points } = limiters.get(name)!;
      const { consumed, msLeft } = await counting.run(key, key);
      const seconds = Math.max(1, Math.ceil(msLeft / 1_000));
      const label = name.toLowerCase().replaceAll('_', '-');
      response.setHeader('RateLimit-Policy', `"${label}";q=${points};w=${WINDOW_SECONDS}`);
      response.setHeader(
        'RateLimit',
        `"${label}";r=${Math.max(0, points - consumed)};t=${seconds}`,
      );
      if (consumed > points) throw platform.rateLimited({ retryAfterSeconds: seconds });
    },
  };
}

const countWith =
  (limiter: RateLimiterRedis) =>
  async (together: readonly Waiting<string>[]): Promise<Count[]> => {
    const key = together[0]!.item;
    const { consumedPoints, msBeforeNext: msLeft } = await counted(limiter, key, together.length);
    const before = consumedPoints - together.length;
    return together.map((_, index) => ({ consumed: before + index + 1, msLeft }));
  };

/** The limiter throws its count where that is above the limit. */
async function counted(
  limiter: RateLimiterRedis,
  key: string,
  requests: number,
): Promise<RateLimiterRes> {
  try {
    return await limiter.consume(key, requests);
  } catch (error) {
    if (error instanceof RateLimiterRes) return error;
    throw error;
  }
}

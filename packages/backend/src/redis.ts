import type { Logger } from '@laurel/lifecycle';
import { createClient } from 'redis';

export type Redis = Awaited<ReturnType<typeof connectRedis>>;

/**
 * Connects to Redis without waiting for it: commands fail at once while it is away (nothing that
 * matters is kept there alone), and the connection heals by itself.
 */
export async function connectRedis(url: string, logger: Logger) {
  const redis = createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 2_000),
    },
  });
  redis.on('error', (error) => logger.warn({ err: error }, 'Redis is not available'));
  await Promise.race([
    redis.connect(),
    new Promise((resolve) => setTimeout(resolve, 2_000).unref()),
  ]).catch(() => undefined);
  return redis;
}

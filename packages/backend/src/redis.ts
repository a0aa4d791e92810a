import type { Logger } from '@laurel/lifecycle';
import { createClient } from 'redis';
import { createBoundedWaits } from './bounded-waits';

export type Redis = Awaited<ReturnType<typeof connectRedis>>;

/** Everything asked of Redis can be done without it: better soon than right. */
const COMMAND_MS_MAX = 1_000;
const PING_MS = 1_000;
/** A server that hangs is one that is away: commands fail at once then, instead of after a second each. */
const SILENT_MS_MAX = 30_000;

/**
 * Connects to Redis without waiting for it: commands fail at once while it is away (nothing that
 * matters is kept there alone), and the connection heals by itself.
 */
export async function connectRedis(url: string, logger: Logger) {
  const redis = createClient({
    url,
    disableOfflineQueue: true,
    // The client's own bound makes a timer and two listeners for each command, and ends once it is sent.
    commandOptions: { timeout: 0 },
    pingInterval: PING_MS,
    socket: {
      connectTimeout: 2_000,
      socketTimeout: SILENT_MS_MAX,
      reconnectStrategy: (retries) => Math.min(50 * 2 ** retries, 2_000),
    },
  });
  const bounded = createBoundedWaits('redis', COMMAND_MS_MAX);
  // What createClient gives only leads to the client itself, through which every command goes.
  const itself: typeof redis = Object.getPrototypeOf(redis);
  const send = itself.sendCommand.bind(itself);
  itself.sendCommand = (args, options) => bounded(send(args, options));
  redis.on('error', (error) => logger.warn({ err: error }, 'Redis is not available'));
  await Promise.race([
    redis.connect(),
    new Promise((resolve) => setTimeout(resolve, 2_000).unref()),
  ]).catch(() => undefined);
  return redis;
}

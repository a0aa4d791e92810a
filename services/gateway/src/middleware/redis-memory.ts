import { memoryOfNodes, type Redis } from '@laurel/backend';
import { every, type Logger } from '@laurel/lifecycle';
import { redisMemory } from './metrics';

const LOOK_MS = 15_000;

/**
 * Tells as metrics how full Redis is: what it holds grows with keyed requests (docs/adr/0044), and at its limit answers go
 * before their 24 hours. Returns how to end that.
 */
export function watchRedisMemory(redis: Redis, logger: Logger, lookMs = LOOK_MS): () => void {
  async function look(): Promise<void> {
    try {
      for (const [node, memory] of await memoryOfNodes(redis)) {
        redisMemory.ratio.set({ node }, memory.usedBytes / memory.limitBytes);
        redisMemory.evictedKeys.set({ node }, memory.evictedKeys);
      }
    } catch (error) {
      logger.debug({ err: error }, 'Redis does not say how full it is');
    }
  }
  const looking = every('redis.memory', lookMs, () => void look());
  void look();
  return () => looking.cancel();
}

import { randomUUID } from 'node:crypto';
import { silentLogger, testServers } from '@laurel/testing';
import { connectRedis } from './redis';

test('a command that Redis has got and does not answer is given up after a second', async () => {
  const redis = await connectRedis(testServers().redisUrl, silentLogger);
  const begunAt = Date.now();
  // Redis answers this once somebody writes, which nobody does.
  await expect(redis.blPop(randomUUID(), 30)).rejects.toThrow('redis did not answer in 1000 ms');
  expect(Date.now() - begunAt).toBeLessThan(10_000);
  redis.destroy();
});

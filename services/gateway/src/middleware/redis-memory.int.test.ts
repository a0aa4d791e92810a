import { randomUUID } from 'node:crypto';
import { connectRedis, type Redis } from '@laurel/backend';
import { type RedisServer, silentLogger, startRedisServer, until } from '@laurel/testing';
import { createIdempotency } from './idempotency';
import { redisMemory } from './metrics';
import { watchRedisMemory } from './redis-memory';

/** A Redis that is soon at its limit, set as docs/adr/0044 wants it. */
let server: RedisServer;
let redis: Redis;
beforeAll(async () => {
  server = await startRedisServer({ maxmemory: '4mb', 'maxmemory-policy': 'volatile-lru' });
  redis = await connectRedis(server.url, silentLogger);
});
afterAll(async () => {
  redis?.destroy();
  await server?.stop();
});

const AUDITS = 200;
const ANSWERS = 5_000;
const answer = { status: 201, headers: {}, body: { data: 'x'.repeat(800) } };

test('at its limit Redis lets answers go and tells so; their keys stand for the same operations, and audit records stay', async () => {
  for (let at = 0; at < AUDITS; at += 1) await redis.xAdd('audit:records', '*', { record: 'r' });
  const begin = createIdempotency(redis, silentLogger);
  const scope = randomUUID();
  const operations = new Map<string, string>();
  for (let at = 0; at < ANSWERS; at += 1) {
    const attempt = await begin(scope, `k${at}`, 'f');
    operations.set(`k${at}`, attempt.operationId);
    await attempt.keep(answer);
  }

  const stop = watchRedisMemory(redis, silentLogger, 50);
  const told = async (gauge: typeof redisMemory.ratio) => (await gauge.get()).values[0]?.value ?? 0;
  await until(async () => (await told(redisMemory.evictedKeys)) > 0);
  expect(await told(redisMemory.ratio)).toBeGreaterThan(0.8);
  stop();

  let gone = 0;
  for (const [key, operationId] of operations) {
    const repeat = await begin(scope, key, 'f');
    expect(repeat.operationId).toBe(operationId);
    if (repeat.earlier === null) gone += 1;
    else expect(repeat.earlier).toEqual(answer);
    if (repeat.earlier === null) await repeat.release();
  }
  expect(gone).toBeGreaterThan(0);
  expect(await redis.xLen('audit:records')).toBe(AUDITS);
});

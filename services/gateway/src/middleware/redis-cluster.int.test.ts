import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createAuthCache, readAuth } from '@laurel/auth-cache';
import { connectRedis, memoryOfNodes, type Redis } from '@laurel/backend';
import { platform } from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import { type RedisCluster, silentLogger, startRedisCluster, until } from '@laurel/testing';
import type { Response } from 'express';
import { createAuditTrail } from './audit-trail';
import { createIdempotency } from './idempotency';
import { createRateLimits } from './rate-limit';

/** Everything that is asked of Redis, asked of three nodes of which each has a third of the keys. */
let cluster: RedisCluster;
let redis: Redis;
beforeAll(async () => {
  cluster = await startRedisCluster();
  redis = await connectRedis(cluster.url, silentLogger);
});
afterAll(async () => {
  redis?.destroy();
  await cluster?.stop();
});

/** So many that no node has all of them. */
const keys = (length = 20) =>
  Array.from({ length }, () => `auth:member:${randomUUID()}:${randomUUID()}`);

test('principals are kept, read together and revoked together, whichever node has them', async () => {
  const cache = createAuthCache(redis as never);
  const all = keys();
  await Promise.all(all.map((key) => cache.fill(key, async () => key)));
  expect(await readAuth(redis, all)).toEqual(all);
  await cache.revoke(all, async () => {
    await cache.fill(all[0]!, async () => 'stale');
    expect(await readAuth(redis, all)).toEqual(all.map(() => null));
  });
  expect(await readAuth(redis, all)).toEqual(all.map(() => null));
});

test('the answers of twenty keys are replayed', async () => {
  const begin = createIdempotency(redis, silentLogger);
  const answer = { status: 201, headers: {}, body: { data: { id: 'a' } } };
  for (const scope of keys()) {
    await (await begin(scope, 'k', 'f')).keep(answer);
    expect((await begin(scope, 'k', 'f')).earlier).toEqual(answer);
    await expect(begin(scope, 'k', 'other')).rejects.toMatchObject({ code: 'CONFLICT' });
  }
});

test('limits hold for each of twenty callers', async () => {
  const limits = createRateLimits(redis, { TOKEN: 2 } as never);
  const response = { setHeader: () => undefined } as unknown as Response;
  for (const key of keys()) {
    await limits.consume('TOKEN', key, response);
    await limits.consume('TOKEN', key, response);
    await expect(limits.consume('TOKEN', key, response)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    });
  }
});

test('audit records reach identity, and one that it will not take is parked', async () => {
  const told: string[] = [];
  const identity = {
    RecordAudits: async ({ records }: { records: { request_id: string }[] }) => {
      if (records.some(({ request_id }) => request_id === 'bad')) throw platform.invalidPayload();
      told.push(...records.map(({ request_id }) => request_id));
      return {};
    },
  };
  const trail = createAuditTrail({ identity, redis, logger: silentLogger } as never);
  const record = (request_id: string) =>
    ({ workspace_id: newId(), action: 'points.earn', request_id, changes: [] }) as never;
  const good = keys();
  for (const id of [...good.slice(0, 10), 'bad', ...good.slice(10)]) await trail.keep(record(id));
  await until(async () => (await redis.xLen('audit:parked')) === 1);
  await until(() => good.every((id) => told.includes(id)));
  // It is taken off the stream when identity has answered.
  await until(async () => (await redis.xLen('audit:records')) === 0);
  await trail.stop();
});

test('each node says how full it is', async () => {
  const told = await memoryOfNodes(redis);
  expect(told.size).toBe(3);
  for (const { usedBytes, limitBytes } of told.values()) expect(usedBytes).toBeLessThan(limitBytes);
});

test('a command that a node does not answer is given up after a second', async () => {
  const begunAt = Date.now();
  const key = randomUUID();
  await expect(redis.blPop(key, 30)).rejects.toThrow('redis did not answer in 1000 ms');
  expect(Date.now() - begunAt).toBeLessThan(20_000);
  await until(async () => (await redis.exists(key).catch(() => null)) === 0);
});

test('a node that hangs costs one command its second, the others nothing, and is heard when it answers again', async () => {
  const all = keys(60);
  for (const key of all) await redis.set(key, key, { expiration: { type: 'EX', value: 120 } });
  const [door] = cluster.url.split(',');
  const node = cluster.hang(1);
  // One that had a connection to the node, and one whose connection is taken and leads nowhere.
  const late = await connectRedis(`${door},${door}`, silentLogger);
  for (const asking of [redis, late]) {
    const failures = [...(await askOneByOne(asking, all)), ...(await askOneByOne(asking, all))];
    const waited = failures.filter((message) => message === 'redis did not answer in 1000 ms');
    expect(failures[0]).toBe(waited[0]);
    // On a busy machine a node that does answer may take its second, too.
    expect(waited.length).toBeLessThan(failures.length / 3);
    expect(failures.length).toBeLessThan(2 * all.length);
    expect(new Set(failures)).toEqual(new Set([waited[0], 'redis does not answer']));
  }
  node.goOn();
  for (const asking of [redis, late])
    await until(async () => (await askOneByOne(asking, all)).length === 0);
  late.destroy();
});

/** What went wrong with keys that hold themselves. */
async function askOneByOne(asking: Redis, all: readonly string[]): Promise<string[]> {
  const failures: string[] = [];
  for (const key of all) {
    const told = await asking.get(key).catch((error: Error) => error);
    if (told instanceof Error) failures.push(told.message);
    else expect(told).toBe(key);
  }
  return failures;
}

test('a node that ends takes what it had with it, and nothing else', async () => {
  const all = keys(60);
  const cache = createAuthCache(redis as never);
  await Promise.all(all.map((key) => cache.fill(key, async () => key)));
  cluster.kill(2);
  const one = async (key: string) => (await readAuth<string>(redis, [key]))[0];
  const known = await until(async () => {
    const found = await Promise.all(all.map(one));
    const there = found.filter((value) => value !== null).length;
    return there > 0 && there < all.length ? found : null;
  });
  for (const [at, value] of known.entries()) expect([all[at], null]).toContain(value);
  // What cannot be kept is still read.
  for (const key of keys()) expect(await cache.fill(key, async () => 'truth')).toBe('truth');
});

test('a gateway that starts before its cluster finds it later, though one node is away', async () => {
  const known = new URL(cluster.url.split(',')[0]!);
  let isThere = false;
  const open = createServer((socket) => {
    if (!isThere) return void socket.destroy();
    const inner = connect(Number(known.port), known.hostname);
    socket.pipe(inner).pipe(socket);
    for (const end of [socket, inner]) end.on('error', () => undefined);
  });
  await once(open.listen(0, '127.0.0.1'), 'listening');
  const door = `redis://127.0.0.1:${(open.address() as AddressInfo).port}`;
  const early = await connectRedis(`${door},${door}`, silentLogger);
  expect(early.isReady).toBe(false);
  await expect(early.get('k')).rejects.toThrow();
  isThere = true;
  await until(() => early.isReady);
  const kept = await Promise.allSettled(keys().map((key) => early.set(key, 'kept')));
  expect(kept.map(({ status }) => status)).toContain('fulfilled');
  early.destroy();
  open.close();
});

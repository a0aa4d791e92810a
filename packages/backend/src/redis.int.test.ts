import { randomUUID } from 'node:crypto';
import net, { type AddressInfo } from 'node:net';
import { silentLogger, testServers, until } from '@laurel/testing';
import { connectRedis } from './redis';

test('a command that Redis has got and does not answer is given up after a second', async () => {
  const redis = await connectRedis(testServers().redisUrl, silentLogger);
  const begunAt = Date.now();
  // Redis answers this once a client writes, which none does.
  await expect(redis.blPop(randomUUID(), 30)).rejects.toThrow('redis did not answer in 1000 ms');
  expect(Date.now() - begunAt).toBeLessThan(10_000);
  redis.destroy();
});

/** A way to Redis on which what comes back can be held up. */
async function openWay() {
  const there = new URL(testServers().redisUrl);
  const { port, hostname } = there;
  let isHeldUp = false;
  const pairs = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(Number(port), hostname);
    near.pipe(far);
    far.on('data', (bytes) => near.write(bytes));
    far.on('error', () => undefined).on('close', () => near.destroy());
    near.on('error', () => undefined).on('close', () => far.destroy());
    pairs.add(far);
    if (isHeldUp) far.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  there.port = String((server.address() as AddressInfo).port);
  return {
    url: there.href,
    holdUp: (yes: boolean) => {
      isHeldUp = yes;
      for (const far of pairs)
        if (yes) far.pause();
        else far.resume();
    },
    close: () => {
      for (const far of pairs) far.destroy();
      server.close();
    },
  };
}

test('a Redis that hangs costs one command its second and all others nothing, and is heard when it answers again', async () => {
  const way = await openWay();
  const redis = await connectRedis(way.url, silentLogger);
  const key = randomUUID();
  const set = () => redis.set(key, '7', { expiration: { type: 'EX', value: 600 } });
  await until(() => set().catch(() => null));
  way.holdUp(true);
  await expect(redis.get(key)).rejects.toThrow('redis did not answer in 1000 ms');
  const begunAt = Date.now();
  for (let count = 0; count < 100; count += 1)
    await expect(redis.get(key)).rejects.toThrow('redis does not answer');
  // Each would have waited its second.
  expect(Date.now() - begunAt).toBeLessThan(30_000);
  way.holdUp(false);
  await until(async () => (await redis.get(key).catch(() => null)) === '7');
  redis.destroy();
  way.close();
});

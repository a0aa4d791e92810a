import { createClient } from 'redis';
import { type AuthCache, createAuthCache } from './fill';
import { readAuth } from './read';

const connect = () => createClient({ url: process.env.REDIS_URL, disableOfflineQueue: true });

describe('the cache of who may do what', () => {
  const redis = connect();
  let cache: AuthCache;
  let key: string;
  let position = 0;

  beforeAll(async () => {
    await redis.connect();
    cache = createAuthCache(redis as never);
  });
  beforeEach(() => {
    position += 1;
    key = `auth:test:${process.pid}:${position}`;
  });
  afterAll(() => redis.destroy());

  const cached = async () => (await readAuth<string>(redis, [key]))[0];

  test('keeps what was read', async () => {
    await cache.fill(key, async () => 'granted');
    expect(await cached()).toBe('granted');
  });

  test('forgets before the revocation has returned', async () => {
    await cache.fill(key, async () => 'granted');
    await cache.revoke([key], async () => undefined);
    expect(await cached()).toBeNull();
  });

  test('keeps nothing that was read before a revocation and arrives after it', async () => {
    await cache.fill(key, async () => {
      await cache.revoke([key], async () => undefined);
      return 'stale';
    });
    expect(await cached()).toBeNull();
  });

  test('keeps nothing while a revocation is being committed', async () => {
    await cache.revoke([key], async () => {
      await cache.fill(key, async () => 'stale');
      expect(await cached()).toBeNull();
    });
    expect(await cached()).toBeNull();
  });

  test.each([
    ['began first', 0],
    ['began last', 1],
  ])(
    'keeps nothing while one of two revocations is being committed, where the one that %s has ended',
    async (_, first) => {
      const ends: (() => void)[] = [];
      const revocations: Promise<void>[] = [];
      for (const _one of [0, 1])
        await new Promise<void>((begun) => {
          const commit = () =>
            new Promise<void>((resolve) => {
              ends.push(resolve);
              begun();
            });
          revocations.push(cache.revoke([key], commit));
        });
      ends[first]!();
      await revocations[first];
      await cache.fill(key, async () => 'stale');
      expect(await cached()).toBeNull();
      for (const end of ends) end();
      await Promise.all(revocations);
      await cache.fill(key, async () => 'granted');
      expect(await cached()).toBe('granted');
    },
  );

  test('keeps nothing when Redis lost its memory between a read and a revocation', async () => {
    await cache.fill(key, async () => {
      await cache.revoke([key], async () => undefined);
      await redis.del([`{${key}}:fence`]);
      return 'stale';
    });
    expect(await cached()).toBeNull();
  });

  test('knows again after a revocation that failed', async () => {
    const failing = cache.revoke([key], async () => Promise.reject(new Error('no store')));
    await expect(failing).rejects.toThrow('no store');
    await cache.fill(key, async () => 'granted');
    expect(await cached()).toBe('granted');
  });

  test('is asked once for all who ask while it is being asked, and each hears what stands there after they asked', async () => {
    await cache.fill(key, async () => 'granted');
    let asked = 0;
    const counting = {
      isReady: true,
      get: (name: string) => {
        asked += 1;
        return redis.get(name);
      },
    };
    const first = readAuth<string>(counting, [key]);
    const revoked = cache.revoke([key], async () => undefined);
    await first;
    await revoked;
    const others = Array.from({ length: 20 }, () => readAuth<string>(counting, [key, key]));
    expect(await Promise.all(others)).toEqual(others.map(() => [null, null]));
    expect(asked).toBe(2);
  });

  test('knows nothing by what is no JSON, and all the rest', async () => {
    await redis.set(key, 'no JSON');
    await cache.fill(`${key}:other`, async () => 'granted');
    expect(await readAuth(redis, [key, `${key}:other`])).toEqual([null, 'granted']);
  });

  test('never keeps a refusal', async () => {
    const refused = cache.fill(key, async () => Promise.reject(new Error('unknown')));
    await expect(refused).rejects.toThrow('unknown');
    expect(await cached()).toBeNull();
  });

  test('without Redis everything is unknown, and the truth is still read', async () => {
    const away = connect();
    const blind = createAuthCache(away as never);
    expect(await readAuth(away, ['a', 'b'])).toEqual([null, null]);
    expect(await blind.fill('a', async () => 'granted')).toBe('granted');
    expect(await blind.revoke(['a'], async () => 'done')).toBe('done');
  });
});

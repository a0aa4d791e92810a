import { createHash, randomUUID } from 'node:crypto';
import { connectRedis, type Redis } from '@laurel/backend';
import { silentLogger, testServers, until } from '@laurel/testing';
import fc from 'fast-check';
import { createIdempotency, fingerprintOf } from './idempotency';
import { sealWith } from './sealed-answer';

let redis: Redis;
let begin: ReturnType<typeof createIdempotency>;
beforeAll(async () => {
  redis = await connectRedis(testServers().redisUrl, silentLogger);
  begin = createIdempotency(redis, silentLogger);
});
afterAll(() => redis.destroy());

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex');
const response = { status: 201, headers: {}, body: { data: { id: 'a' } } };

test('the first response is replayed to the same request', async () => {
  const scope = randomUUID();
  const first = await begin(scope, 'k', 'f');
  expect(first.earlier).toBeNull();
  await first.keep(response);
  expect((await begin(scope, 'k', 'f')).earlier).toEqual(response);
});

test('the same key with another body is a conflict', async () => {
  const scope = randomUUID();
  await (await begin(scope, 'k', 'f')).keep(response);
  await expect(begin(scope, 'k', 'other')).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('of twenty requests with one key at once, one runs and the others are sent away to wait', async () => {
  const scope = randomUUID();
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => begin(scope, 'k', 'f')),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  expect(refused?.reason).toMatchObject({ code: 'CONFLICT', retryAfterSeconds: 1 });
});

test('a key whose outcome is unknown can be tried again under the same operation', async () => {
  const scope = randomUUID();
  const first = await begin(scope, 'k', 'f');
  await first.release();
  const second = await begin(scope, 'k', 'f');
  expect(second.earlier).toBeNull();
  expect(second.operationId).toBe(first.operationId);
});

test('a request that takes long keeps its key until it has an answer', async () => {
  // Longer than a busy machine keeps a process waiting.
  const quick = createIdempotency(redis, silentLogger, 9_000);
  const scope = randomUUID();
  const first = await quick(scope, 'k', 'f');
  const claimedFor = () => redis.pTTL(`answer:${digestOf(`${scope}\nk`)}`);
  let lowest = Number.POSITIVE_INFINITY;
  let renewals = 0;
  await until(async () => {
    const left = await claimedFor();
    if (left > lowest) renewals += 1;
    lowest = left;
    return renewals === 2;
  });
  await expect(quick(scope, 'k', 'f')).rejects.toMatchObject({ retryAfterSeconds: 1 });
  await first.keep(response);
  expect((await quick(scope, 'k', 'f')).earlier).toEqual(response);
});

test('an answer is kept for 24 hours', async () => {
  const scope = randomUUID();
  await (await begin(scope, 'k', 'f')).keep(response);
  const left = await redis.pTTL(`answer:${digestOf(`${scope}\nk`)}`);
  const day = 86_400_000;
  expect(left).toBeLessThanOrEqual(day);
  expect(left).toBeGreaterThan(day - 60_000);
});

test('a key whose gateway died is free again as soon as the claim is no longer renewed', async () => {
  const scope = randomUUID();
  const dead = { state: 'running', fingerprint: 'f' };
  await redis.set(`answer:${digestOf(`${scope}\nk`)}`, JSON.stringify(dead), {
    expiration: { type: 'PX', value: 30 },
  });
  await until(async () => (await begin(scope, 'k', 'f').catch(() => null)) !== null);
});

test('an answer tells nothing to who reads Redis and does not name the key', async () => {
  const scope = randomUUID();
  const body = { data: { first_name: 'Canary', email: 'canary@example.com' } };
  await (await begin(scope, 'k', 'f')).keep({ ...response, body });
  const kept = String(await redis.get(`answer:${digestOf(`${scope}\nk`)}`));
  const { answer, fingerprint } = JSON.parse(kept);
  const bytes = Buffer.from(answer, 'base64').toString('latin1');
  for (const text of [kept, bytes]) expect(text.toLowerCase()).not.toContain('canary');
  expect(fingerprint).not.toBe('f');
  const sealing = sealWith(`${scope}\nanother`);
  expect(() => sealing.open(answer)).toThrow();
  expect((await begin(scope, 'k', 'f')).earlier?.body).toEqual(body);
});

test('keys of different scopes never meet', async () => {
  const one = await begin(randomUUID(), 'k', 'f');
  const other = await begin(randomUUID(), 'k', 'f');
  expect(one.operationId).not.toBe(other.operationId);
});

test('the order of members does not make a body another one', () => {
  expect(fingerprintOf({}, { a: 1, b: { c: 2, d: 3 } })).toBe(
    fingerprintOf({}, { b: { d: 3, c: 2 }, a: 1 }),
  );
  expect(fingerprintOf({}, { a: 1 })).not.toBe(fingerprintOf({}, { a: 2 }));
});

test('two bodies have one fingerprint only where nothing but the order of members differs', () => {
  const inOrder = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inOrder);
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [name, inOrder(member)] as const);
    return Object.fromEntries(members.sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  const same = (one: unknown, other: unknown) =>
    JSON.stringify(inOrder(one)) === JSON.stringify(inOrder(other));
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('a', 'b', 1, null),
      fc.array(tie('json'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'list'), tie('json'), { maxKeys: 2 }),
    ),
  }));
  const pairs = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? Object.entries(value) : [];
  fc.assert(
    fc.property(json, json, (one, other) => {
      for (const another of [other, pairs(one), { list: one }, [one]])
        expect(fingerprintOf({}, one) === fingerprintOf({}, another)).toBe(same(one, another));
    }),
    { numRuns: 1_000 },
  );
  expect(fingerprintOf({}, { tags: {} })).not.toBe(fingerprintOf({}, { tags: [] }));
  expect(fingerprintOf({}, { b: 1 })).not.toBe(fingerprintOf({}, [['b', 1]]));
});

test.each(['', 'x'.repeat(256), 'tab\there'])('%p is no key', async (key) => {
  await expect(begin(randomUUID(), key, 'f')).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
});

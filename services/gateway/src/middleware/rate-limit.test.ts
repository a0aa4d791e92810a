import { connectRedis, type Redis } from '@laurel/backend';
import { silentLogger } from '@laurel/testing';
import type { Response } from 'express';
import type { LimitName } from '../routing';
import { createRateLimits } from './rate-limit';

const LIMITS = { ENROLL: 3 } as unknown as Record<LimitName, number>;
const ENROLL: LimitName = 'ENROLL';

let redis: Redis;
beforeAll(async () => {
  // Nothing listens on port 1: Redis is away.
  redis = await connectRedis('redis://127.0.0.1:1', silentLogger);
});
afterAll(() => redis.destroy());

const headers = new Map<string, string>();
const response = {
  setHeader: (name: string, value: string) => void headers.set(name, value),
} as unknown as Response;

test('while Redis is away a gateway counts for itself, against the same limit and never open', async () => {
  const limits = createRateLimits(redis, LIMITS);
  for (let request = 0; request < 3; request += 1) await limits.consume(ENROLL, 'ada', response);
  expect(headers.get('RateLimit')).toMatch(/^"enroll";r=0;/);
  await expect(limits.consume(ENROLL, 'ada', response)).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    httpStatus: 429,
    retryAfterSeconds: expect.any(Number),
  });
  expect(headers.get('RateLimit-Policy')).toBe('"enroll";q=3;w=60');
  await limits.consume(ENROLL, 'ben', response);
});

test('what comes at once is counted together, each for itself, and no more of it is let through than alone', async () => {
  const limits = createRateLimits(redis, LIMITS);
  const left: string[] = [];
  const noting = {
    setHeader: (name: string, value: string) => name === 'RateLimit' && left.push(value),
  } as unknown as Response;
  const outcomes = await Promise.allSettled(
    Array.from({ length: 8 }, () => limits.consume(ENROLL, 'cem', noting)),
  );
  expect(outcomes.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 3 }, () => 'fulfilled'),
    ...Array.from({ length: 5 }, () => 'rejected'),
  ]);
  expect(left.map((header) => /r=(\d+)/.exec(header)![1])).toEqual('21000000'.split(''));
});

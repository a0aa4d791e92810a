import { platform } from '@laurel/errors';
import type { Response } from 'express';
import type { RateLimits } from './rate-limit';
import { createWrongCredentials } from './wrong-credentials';

const MOST = 3;
const response = {} as Response;

function guard() {
  const counts = new Map<string, number>();
  const clock = { now: 0 };
  const limits: RateLimits = {
    consume: async (name, key) => {
      counts.set(`${name} ${key}`, (counts.get(`${name} ${key}`) ?? 0) + 1);
      if (counts.get(`${name} ${key}`)! > MOST)
        throw platform.rateLimited({ retryAfterSeconds: 60 });
    },
  };
  return { counts, clock, credentials: createWrongCredentials(limits, () => clock.now) };
}

const wrong = () => Promise.reject(platform.invalidToken());
const presented = (credential: string, ip = '192.0.2.1') => ({ ip, credential, response });

test('wrong credentials are counted by address alone, and beyond the limit nothing is asked any more', async () => {
  const { credentials, counts } = guard();
  let asked = 0;
  const codes: string[] = [];
  for (let guess = 0; guess < 10; guess += 1) {
    const ask = () => {
      asked += 1;
      return wrong();
    };
    await credentials.prove(presented(`guess ${guess}`), ask).catch(({ code }) => codes.push(code));
  }
  expect(codes).toEqual([
    ...Array(MOST).fill('INVALID_TOKEN'),
    ...Array(10 - MOST).fill('RATE_LIMITED'),
  ]);
  expect(asked).toBe(MOST + 1);
  expect([...counts.keys()]).toEqual(['WRONG_CREDENTIAL 192.0.2.1']);
});

test('a credential that was right keeps working from an address that guesses, an unknown one waits', async () => {
  const { credentials, clock } = guard();
  await credentials.prove(presented('good'), async () => 'worth');
  for (let guess = 0; guess <= MOST; guess += 1)
    await credentials.prove(presented(`guess ${guess}`), wrong).catch(() => undefined);
  expect(await credentials.prove(presented('good'), async () => 'worth')).toBe('worth');
  await expect(credentials.prove(presented('new'), async () => 'worth')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    retryAfterSeconds: 60,
  });
  expect(await credentials.prove(presented('new', '192.0.2.2'), async () => 'worth')).toBe('worth');
  clock.now = 60_001;
  expect(await credentials.prove(presented('new'), async () => 'worth')).toBe('worth');
});

test('a session that has just begun works from an address that guesses: what we signed is no guess', async () => {
  const { credentials } = guard();
  const blocked = async () => {
    for (let guess = 0; guess <= MOST; guess += 1)
      await credentials.prove(presented(`guess ${guess}`), wrong).catch(() => undefined);
  };
  await blocked();
  const session = { ...presented('session'), isSigned: true };
  expect(await credentials.prove(session, async () => 'worth')).toBe('worth');
  const ended = { ...presented('ended'), isSigned: true };
  await expect(credentials.prove(ended, wrong)).rejects.toMatchObject({ code: 'RATE_LIMITED' });
});

test('a credential that turns wrong is forgotten', async () => {
  const { credentials } = guard();
  await credentials.prove(presented('token'), async () => 'worth');
  await expect(credentials.prove(presented('token'), wrong)).rejects.toMatchObject({
    code: 'INVALID_TOKEN',
  });
  expect(credentials.knows('token')).toBe(false);
});

test('neither an expired session nor another refusal or fault is a guess', async () => {
  const { credentials, counts } = guard();
  const outcomes = [platform.tokenExpired(), platform.forbidden(), new Error('fault')];
  for (const outcome of outcomes)
    await expect(credentials.prove(presented('token'), () => Promise.reject(outcome))).rejects.toBe(
      outcome,
    );
  expect(counts.size).toBe(0);
});

test('only a wrong credential is counted; anything else comes back as it is', async () => {
  const { credentials, counts } = guard();
  const stray = Object.assign(new Error('not of ours'), { httpStatus: 401 });
  for (const error of [platform.forbidden(), platform.tokenExpired(), stray])
    expect(await credentials.counted(error, 'ip', response)).toBe(error);
  expect(counts.size).toBe(0);
  const guess = platform.invalidToken();
  expect(await credentials.counted(guess, 'ip', response)).toBe(guess);
  expect([...counts.values()]).toEqual([1]);
});

test('a credential is known for ten minutes', async () => {
  const { credentials, clock } = guard();
  credentials.remember('token');
  clock.now = 599_999;
  expect(credentials.knows('token')).toBe(true);
  clock.now = 600_000;
  expect(credentials.knows('token')).toBe(false);
  expect(credentials.knows('never seen')).toBe(false);
});

test('of twenty thousand known credentials the one that was seen first makes room', () => {
  const { credentials } = guard();
  for (let each = 0; each < 20_000; each += 1) credentials.remember(`token ${each}`);
  expect(credentials.knows('token 0')).toBe(true);
  credentials.remember('token 0');
  credentials.remember('one more');
  expect(['token 0', 'token 1', 'token 2'].map(credentials.knows)).toEqual([true, false, true]);
});

test('a fault while counting blocks no caller, and what was refused stays the answer', async () => {
  const fault = new Error('Redis and memory are full');
  const credentials = createWrongCredentials({ consume: () => Promise.reject(fault) });
  const refusal = platform.invalidToken();
  const ask = () => Promise.reject(refusal);
  await expect(credentials.prove(presented('token'), ask)).rejects.toBe(refusal);
  expect(() => credentials.refuseBlocked('192.0.2.1')).not.toThrow();
});

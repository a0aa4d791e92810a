import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { platform } from '@laurel/errors';
import { until } from '@laurel/testing';
import express, { type Response } from 'express';
import { anonymous } from './caller';
import { createLiveAnswers, type LiveAnswers } from './live-answers';

const logger = { debug: () => undefined };
let server: Server;
let live: LiveAnswers;
let isAllowed: boolean;
let told: string[];
let ended: Promise<void>[];
/** What a source tells next; it waits until there is something. */
let say: (chunk: string) => void;

async function serve(settings = { max: 3, callerMax: 2 }, stalledMs = 30_000): Promise<string> {
  live = createLiveAnswers(settings, logger, stalledMs);
  const app = express();
  app.get('/:who', (request, response: Response) => {
    // A credential is named by its user and a number, such as `b2`.
    const { who } = request.params;
    const caller = { ...anonymous('ip'), limitKey: who, userId: who[0]! };
    const stillAllowed = async () => {
      if (!isAllowed) throw platform.invalidToken();
    };
    const answer = { status: 200, live: source() };
    const sending = live.send(response, answer, { caller, stillAllowed });
    ended.push(sending);
    sending.catch(({ httpStatus }) => response.status(httpStatus).end());
  });
  server = createServer(app);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function* source(): AsyncIterable<string> {
  yield 'first';
  for (;;)
    yield await new Promise<string>((resolve) => {
      const before = say;
      say = (chunk) => {
        before(chunk);
        resolve(chunk);
      };
    });
}

beforeEach(() => {
  isAllowed = true;
  told = [];
  ended = [];
  say = (chunk) => told.push(chunk);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Reads one piece of an open answer. */
async function open(url: string) {
  const ending = new AbortController();
  const response = await fetch(url, { signal: ending.signal });
  const reader = response.body?.getReader();
  return {
    status: response.status,
    read: async () => {
      const { value, done } = (await reader?.read()) ?? {};
      return done ? null : Buffer.from(value ?? []).toString();
    },
    leave: () => ending.abort(),
  };
}

test('more than a credential may have, or this process has room for, is refused before anything is sent', async () => {
  const url = await serve();
  const [one] = [await open(`${url}/a`), await open(`${url}/a`)];
  expect((await open(`${url}/a`)).status).toBe(429);
  expect((await open(`${url}/b`)).status).toBe(200);
  expect((await open(`${url}/c`)).status).toBe(503);
  one.leave();
  await until(async () => (await open(`${url}/c`)).status === 200);
});

test('one user with many credentials leaves room for others', async () => {
  const url = await serve({ max: 4, callerMax: 2 });
  const all = [];
  for (const who of ['a1', 'a1', 'a2', 'b1']) all.push(await open(`${url}/${who}`));
  for (const { read } of all) expect(await read()).toBe('first');
  expect((await open(`${url}/c1`)).status).toBe(200);
  expect(await all[0]!.read()).toBeNull();
  // By now each has as many as one credential may have.
  expect((await open(`${url}/d1`)).status).toBe(503);
});

test('nothing more is sent once its reader may not see it', async () => {
  const stream = await open(`${await serve()}/a`);
  expect(await stream.read()).toBe('first');
  isAllowed = false;
  say('secret');
  expect(await stream.read()).toBeNull();
  await ended[0];
});

test('every reader is let go when the process stops, and none gets in', async () => {
  const url = await serve();
  const stream = await open(`${url}/a`);
  await stream.read();
  live.stop();
  expect(await stream.read()).toBeNull();
  expect((await open(`${url}/a`)).status).toBe(503);
});

test('a reader that takes nothing for too long is let go, and makes room', async () => {
  const url = await serve({ max: 1, callerMax: 1 }, 100);
  const stream = await open(`${url}/a`);
  await stream.read();
  // More than the system keeps between the two.
  say('x'.repeat(16 * 1024 * 1024));
  await until(async () => (await open(`${url}/a`)).status === 200);
  stream.leave();
});

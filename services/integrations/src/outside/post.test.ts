import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createAgent } from '@laurel/outbound';
import { MockAgent } from 'undici';
import { coarse, post } from './post';

const TIMEOUT_MS = 400;
/** What answers is given as long as a busy machine may take. */
const PATIENCE_MS = 30_000;
const waiting = (timeoutMs: number) => ({
  agent: createAgent({ allowInsecure: true, connections: 4, timeoutMs }),
  timeoutMs,
  allowInsecure: true,
});
const settings = waiting(PATIENCE_MS);
const hurried = waiting(TIMEOUT_MS);
const servers: Server[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const send = (url: string, by = settings) =>
  post({ url, headers: { 'x-test': '1' }, body: '{"a":1}' }, by);

afterAll(async () => {
  for (const { agent } of [settings, hurried]) await agent.destroy();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

it.each([200, 201, 202, 204])('counts %i as taken', async (status) => {
  const url = await serve((_, response) => void response.writeHead(status).end());
  expect(await send(url)).toMatchObject({ status, error: null });
});

it.each([301, 302, 307, 308])(
  'follows no redirect (%i) and counts it as failed',
  async (status) => {
    let visited = 0;
    const target = await serve((_, response) => {
      visited += 1;
      response.end();
    });
    const url = await serve(
      (_, response) => void response.writeHead(status, { location: target }).end(),
    );
    expect(await send(url)).toMatchObject({ status, error: expect.stringContaining('redirect') });
    expect(visited).toBe(0);
  },
);

it('reports a status that is no success, and when the receiver wants to be asked again', async () => {
  const url = await serve(
    (_, response) => void response.writeHead(429, { 'retry-after': '7' }).end(),
  );
  expect(await send(url)).toMatchObject({
    status: 429,
    error: 'answered 429',
    retryAfterMs: 7_000,
  });
});

it('gives up on a receiver that does not answer', async () => {
  const url = await serve(() => undefined);
  const outcome = await send(url, hurried);
  expect(outcome).toMatchObject({ status: null, error: `no answer within ${TIMEOUT_MS} ms` });
  expect(outcome.durationMs).toBeLessThan(PATIENCE_MS);
});

it('gives up on a receiver that drips its headers', async () => {
  const url = await serve((request) => {
    const drip = setInterval(() => request.socket.write('x'), 50);
    request.socket.on('close', () => clearInterval(drip));
    request.socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
  });
  expect(await send(url, hurried)).toMatchObject({
    status: null,
    error: `no answer within ${TIMEOUT_MS} ms`,
  });
});

it('reads only a little of an endless body, and hangs up', async () => {
  let written = 0;
  let hungUp = false;
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const url = await serve((_, response) => {
    response.writeHead(200);
    response.on('close', () => {
      hungUp = true;
    });
    const pour = (): void => {
      while (!hungUp && response.write(chunk)) written += chunk.length;
      written += chunk.length;
    };
    response.on('drain', pour);
    pour();
  });
  expect(await send(url)).toMatchObject({ status: 200, error: null });
  await send(await serve((_, response) => void response.end()));
  expect(hungUp).toBe(true);
  expect(written).toBeLessThan(16 * 1024 * 1024);
});

it('does not unpack a compressed answer', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const url = await serve((request, response) => {
    expect(request.headers['accept-encoding']).toBe('identity');
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  const before = process.memoryUsage().rss;
  expect(await send(url)).toMatchObject({ status: 200, error: null });
  expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
});

it('says in words what the network did', async () => {
  const gone = await serve((_, response) => void response.end());
  const server = servers.at(-1)!;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  expect(await send(gone)).toMatchObject({ status: null, error: 'the connection was refused' });
  const reset = await serve((request) => request.socket.resetAndDestroy());
  expect(await send(reset)).toMatchObject({
    status: null,
    error: expect.stringContaining('connection was'),
  });
});

it('refuses at the last moment what must not be dialled', async () => {
  const refused = await post(
    { url: 'https://169.254.169.254/latest', headers: {}, body: '{}' },
    settings,
  );
  expect(refused).toMatchObject({ status: null, error: expect.stringContaining('private') });
});

it('speaks https to the outside world', async () => {
  const world = new MockAgent();
  world.disableNetConnect();
  const seen = { path: '/laurel', method: 'POST', body: '{"a":1}', headers: { 'x-test': '1' } };
  world.get('https://hooks.example.com').intercept(seen).reply(202);
  const message = {
    url: 'https://hooks.example.com/laurel',
    headers: { 'x-test': '1' },
    body: '{"a":1}',
  };
  const strict = { agent: world, timeoutMs: PATIENCE_MS, allowInsecure: false };
  expect(await post(message, strict)).toMatchObject({ status: 202, error: null });
  world.assertNoPendingInterceptors();
  await world.close();
});

test('a test against this machine does not tell a closed port from an open one', () => {
  const outcomes = ['the connection was refused', 'no answer within 500 ms'].map((error) =>
    coarse('http://127.0.0.1:9/', { status: null, error }),
  );
  expect(new Set(outcomes.map(({ error }) => error)).size).toBe(1);
  const refused = { status: null, error: 'the connection was refused' };
  expect(coarse('https://hooks.example.com/', refused)).toEqual(refused);
  expect(coarse('http://127.0.0.1:9/', { status: 401, error: 'answered 401' }).error).toBe(
    'answered 401',
  );
});

import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { until } from '@laurel/testing';
import { createHttpServer } from './http-server';

/** Longer than what the system keeps of a connection. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

let server: Server;
let late: ServerResponse | undefined;
const opened: Server[] = [];
const sockets: Socket[] = [];
beforeAll(async () => {
  const answer = (url: string | undefined, response: ServerResponse) => {
    if (url === '/late') late = response;
    else response.end(url === '/large' ? LARGE : 'short');
  };
  const times = { stalledMsMax: 300 };
  server = createHttpServer(({ url }, response) => answer(url, response), 10, times);
  opened.push(server);
  server.keepAliveTimeout = 300;
  Object.assign(server, { keepAliveTimeoutBuffer: 0 });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => {
  for (const one of opened) one.close();
});

/** Asks over a connection of its own; what comes back is read from there where it is. */
async function ask(path: string): Promise<Socket> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}
const open = () =>
  new Promise<number>((resolve) => {
    server.getConnections((_error, count) => resolve(count));
  });

test('an answer that is not read is kept no longer than a silent connection is', async () => {
  await ask('/large');
  await until(async () => (await open()) === 1);
  await until(async () => (await open()) === 0);
});

test('a connection that asks no more ends, one whose request is at work does not', async () => {
  const [working, idle] = [await ask('/late'), await ask('/short')];
  let heard = '';
  working.on('data', (chunk) => {
    heard += chunk;
  });
  // Both have been silent for the same time by then.
  await once(idle.resume(), 'close');
  await until(async () => late !== undefined);
  late!.end('at last');
  await until(async () => heard.includes('at last'));
});

test('a connection is kept for longer than its answers say, as the next request may be on its way', async () => {
  const patient = createHttpServer((_request, response) => response.end('here'), 10);
  opened.push(patient);
  patient.keepAliveTimeout = 1_000;
  await once(patient.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((patient.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
  socket.write(request);
  await until(async () => heard.includes('here'));
  expect(heard).toContain('Keep-Alive: timeout=1\r\n');
  // As if the client had taken it at its word, and been late.
  server.keepAliveTimeout = 1_500;
  const lessPatient = await ask('/short');
  await once(lessPatient.resume(), 'close');
  server.keepAliveTimeout = 300;
  heard = '';
  socket.write(request);
  await until(async () => heard.includes('here'));
});

test('a body that drips is given up, one of which much has come has longer for the rest', async () => {
  const [large, half] = [1024 * 1024, 512 * 1024];
  const uploads = createHttpServer(
    (request, response) => request.resume().once('end', () => response.end('taken')),
    10,
    { bodyMsMax: 250 },
  );
  opened.push(uploads);
  await once(uploads.listen(0, '127.0.0.1'), 'listening');
  const send = async (bytes: number) => {
    const socket = connect((uploads.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${large}\r\n\r\n`);
    socket.write(Buffer.alloc(bytes));
    return socket;
  };
  const heardBy = async (socket: Socket) => String((await once(socket, 'data'))[0]);
  const steady = await send(half);
  const dripping = await send(10);
  expect(await heardBy(dripping)).toContain('408');
  steady.write(Buffer.alloc(half));
  expect(await heardBy(steady)).toContain('taken');
});

test('what never comes to a route is refused in the form of every other error, under an id of its own', async () => {
  const quick = createHttpServer(
    (request, response) => request.resume().once('end', () => response.end('taken')),
    10,
    { headersMsMax: 250 },
  );
  opened.push(quick);
  await once(quick.listen(0, '127.0.0.1'), 'listening');
  const answerTo = async (written: string) => {
    const socket = connect((quick.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    socket.write(written);
    await once(socket, 'close');
    return heard.split('\r\n\r\n') as [string, string];
  };
  const start = 'GET / HTTP/1.1\r\nHost: x\r\n';
  const chunked = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
  for (const [status, written, code] of [
    [400, 'nonsense\r\n\r\n', 'INVALID_PAYLOAD'],
    [400, 'GET / HTTP/1.1\r\n\r\n', 'INVALID_PAYLOAD'],
    [417, `${start}Expect: x\r\n\r\n`, 'INVALID_PAYLOAD'],
    [413, `${chunked}1;a=${'x'.repeat(20_000)}\r\n`, 'PAYLOAD_TOO_LARGE'],
    [431, `${start}X-Long: ${'x'.repeat(20_000)}\r\n\r\n`, 'INVALID_PAYLOAD'],
    [408, start, 'INVALID_PAYLOAD'],
  ] as const) {
    const [head, body] = await answerTo(written);
    expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}/);
    expect(JSON.parse(body)).toEqual({
      errors: [{ message: expect.any(String), extensions: { code } }],
    });
  }
});

test('what was read and comes to no route is refused under its own id, in the form of its surface', async () => {
  const quick = createHttpServer(() => undefined, 10, { bodyMsMax: 250 });
  opened.push(quick);
  await once(quick.listen(0, '127.0.0.1'), 'listening');
  const message = expect.any(String);
  const code = 'INVALID_PAYLOAD';
  for (const [path, form] of [
    ['/service-api/public/loyalty/balance?x=1', { error: message }],
    ['/service-api/workspace/1/webhooks?x=1', { error: { code, message } }],
    ['/service-api/workspace/1/clients', { errors: [{ message, extensions: { code } }] }],
  ] as const)
    for (const [status, lines] of [
      [400, ''],
      [417, 'Host: x\r\nExpect: x\r\n'],
      [408, 'Host: x\r\nContent-Length: 2\r\n'],
    ] as const) {
      const socket = connect((quick.address() as AddressInfo).port, '127.0.0.1');
      sockets.push(socket);
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk;
      });
      socket.write(`POST ${path} HTTP/1.1\r\nX-Request-Id: abc\r\n${lines}\r\n`);
      await once(socket, 'close');
      const [head, body] = heard.split('\r\n\r\n') as [string, string];
      expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(head).toMatch(/\r\nX-Request-Id: abc(\r\n|$)/);
      expect(JSON.parse(body)).toEqual(form);
    }
});

test('nothing is written into an answer that has begun, whatever comes behind its request', async () => {
  const slow = createHttpServer(({ url }, response) => {
    if (url === '/begun') response.write('begun');
  }, 10);
  opened.push(slow);
  await once(slow.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((slow.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  const requests = ['/begun', '/other'].map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  socket.write(`${requests.join('')}nonsense\r\n\r\n`);
  await once(socket, 'close');
  expect(heard).toContain('begun');
  expect(heard).not.toContain('HTTP/1.1 400');
});

test.each(['begun', 'waiting'])(
  'a body that drips behind an answer that is %s writes nothing into that',
  async (first) => {
    const slow = createHttpServer(
      ({ url }, response) => {
        if (url === '/begun') response.write('begun');
      },
      10,
      { bodyMsMax: 250 },
    );
    opened.push(slow);
    await once(slow.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((slow.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    socket.write(`GET /${first} HTTP/1.1\r\nHost: x\r\n\r\n`);
    socket.write('POST /dripping HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{');
    await once(socket, 'close');
    expect(heard).not.toContain('408');
    expect(heard.includes('begun')).toBe(first === 'begun');
  },
);

test('an old client that names no host is answered, and one that waits to go on goes on', async () => {
  for (const request of [
    'GET /short HTTP/1.0\r\n\r\n',
    'GET /short HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n',
  ]) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    socket.write(request);
    await once(socket, 'close');
    expect(heard).toMatch(/short$/);
  }
});

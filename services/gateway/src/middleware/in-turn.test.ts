import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { digestToken } from '@laurel/auth-cache';
import { until } from '@laurel/testing';
import { readJsonBytes } from '../routes/inbox/read-bytes';
import { data, get, member, mobile, open, post, type Route, stream } from '../routing';
import { Joi } from '../schema/types';
import { testApp } from '../testing/test-app';
import { type Admission, createAdmission } from './admission';

const route = { stack: open(), tag: 'Test', summary: 'a route of this test', description: 'x' };
/** The gateway works on so many at once. */
const PLACES = 8;
const WORKSPACE = '018f3c5e-7b1a-7c3d-9e2f-0123456789ab';

async function* endless() {
  for (;;) yield 'piece '.repeat(10_000);
}
let working: number;
const never = async () => {
  working += 1;
  return new Promise<never>(() => undefined);
};
const routes: Route[] = [
  post('!/form', { ...route, body: Joi.object({}), handle: async () => data('taken') }),
  post('!/bytes', {
    ...route,
    rawBody: true,
    handle: async ({ request, awaitPeer }) =>
      data(String(await awaitPeer(() => readJsonBytes(request)))),
  }),
  get('!/pieces', { ...route, handle: async () => stream('text/plain', 'p.txt', endless()) }),
  get('!/elsewhere', {
    ...route,
    handle: ({ awaitPeer }) => awaitPeer(() => new Promise<never>(() => undefined)),
  }),
  get('!/next', { ...route, handle: async () => data('answered') }),
  get(':ws/never', { ...route, stack: member(), handle: never }),
  get('!/inbox/:token', {
    ...route,
    stack: open('TOKEN', { credential: ({ params }) => params.token as string }),
    handle: never,
  }),
  get('!/till', { ...route, stack: mobile(), handle: never }),
];

let admission: Admission;
let server: Server;
let port: number;
let sockets: Socket[];
async function serve(callerMax: number, patienceMs?: number): Promise<void> {
  const settings = { runningMax: PLACES, waitingMax: PLACES, waitMsMax: 100, callerMax };
  admission = createAdmission(settings, patienceMs);
  const credentials = {
    knows: (digest: string) => digest === digestToken('right'),
    prove: (_presented: object, handle: () => Promise<unknown>) => handle(),
    refuseBlocked: () => undefined,
  };
  server = testApp(routes, { admission, credentials }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
}
beforeEach(() => {
  sockets = [];
  working = 0;
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  admission.stop();
  server.close();
  server.closeAllConnections();
});

/** Sends something over a connection of its own, and reads nothing. */
async function write(text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(text);
  return socket;
}
const answered = async () => (await fetch(`http://127.0.0.1:${port}/next`)).status;

describe.each([
  ['send no more of a form', '/form', 'POST'],
  ['send no more of a raw body', '/bytes', 'POST'],
  ['read no more of an answer', '/pieces', 'GET'],
  ['name an address that does not answer', '/elsewhere', 'GET'],
])('callers who %s', (_name, path, method) => {
  const length = method === 'POST' ? 'Content-Length: 2\r\n' : '';
  const text = `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n`;

  test('take up no place of those who wait for nothing but their answer', async () => {
    await serve(100);
    for (let sent = 0; sent < 2 * PLACES; sent += 1) {
      await write(text);
      expect(await answered()).toBe(200);
    }
  });

  test('are hung up on where they are too many, those first who have kept it waiting longest', async () => {
    await serve(100, 0);
    const first = await write(text);
    let isOver = false;
    first.on('close', () => {
      isOver = true;
    });
    for (let sent = 1; sent < 2 * PLACES; sent += 1) await write(text);
    expect([await answered(), isOver]).toEqual([200, false]);
    await write(text);
    first.resume();
    await until(async () => isOver);
    expect(sockets.at(-1)!.destroyed).toBe(false);
  });
});

test('a body that takes a moment is read, however many others do not come', async () => {
  await serve(100, 0);
  const form =
    'POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';
  for (let sent = 0; sent < 3 * PLACES; sent += 1) await write(form);
  const last = sockets.at(-1)!;
  let heard = '';
  last.on('data', (chunk) => {
    heard += chunk;
  });
  last.write('{}');
  await until(async () => heard.startsWith('HTTP/1.1 200'));
});

test('a caller who has kept it waiting for a moment only is not hung up on: all do while it is busy', async () => {
  await serve(100);
  const form =
    'POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n';
  for (let sent = 0; sent < 4 * PLACES; sent += 1) await write(form);
  const heard = sockets.map(() => '');
  for (const [index, socket] of sockets.entries()) {
    socket.on('data', (chunk) => {
      heard[index] = `${heard[index]}${chunk}`;
    });
    socket.write('{}');
  }
  await until(async () => heard.every((answer) => answer.startsWith('HTTP/1.1 200')));
});

test('a stranger who invents credentials stays one caller, by the address', async () => {
  await serve(2);
  const ask = async (token: string) =>
    (await fetch(`http://127.0.0.1:${port}/inbox/${token}`).catch(() => null))?.status;
  void ask('one');
  void ask('other');
  await until(async () => working === 2);
  expect(await ask('third')).toBe(429);
  void ask('right');
  await until(async () => working === 3);
});

describe('one caller', () => {
  const token = 'ab'.repeat(32);
  const asked = (path: string, headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers }).then(
      ({ status }) => status,
      () => null,
    );
  const path = `/service-api/workspace/${WORKSPACE}/never`;

  test.each([
    [
      'spells a token in several ways',
      path,
      [
        { Authorization: `Bearer ${token}` },
        { Authorization: `bearer ${token.toUpperCase()}` },
        { Authorization: `BEARER    ${token}` },
      ],
    ],
    [
      'adds a header that the route does not look at',
      '/till',
      [
        { 'X-Mobile-Token': 'a', Authorization: 'x' },
        { 'X-Mobile-Token': 'a', Authorization: 'y' },
        { 'X-Mobile-Token': 'a' },
      ],
    ],
  ])('who %s stays one', async (_name, place, spellings) => {
    await serve(2);
    const [one, other, third] = spellings as unknown as Record<string, string>[];
    void asked(place, one!);
    void asked(place, other!);
    await until(async () => working === 2);
    expect(await asked(place, third!)).toBe(429);
    void asked(place, { 'X-Mobile-Token': 'b', Authorization: `Bearer ${'cd'.repeat(32)}` });
    await until(async () => working === 3);
  });
});

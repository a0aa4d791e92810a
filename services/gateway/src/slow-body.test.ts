import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { currentContext } from '@laurel/lifecycle';
import { until } from '@laurel/testing';
import { inboxRoutes } from './routes/inbox/routes';
import { data, open, post, type Route } from './routing';
import { Joi } from './schema/types';
import { testApp } from './testing/test-app';

const REQUEST_MS_MAX = 15_000;
const INBOX = '018f3c5e-7b1a-7c3d-9e2f-0123456789a0';
const route = { tag: 'Test', summary: 'a route of this test', description: 'x' };

/** How long a call that is made now may take, as far as its request says. */
const leftMs = () => (currentContext().deadlineAt ?? Number.POSITIVE_INFINITY) - Date.now();
let left: number;
const noting = async <T>(answer: T) => {
  left = leftMs();
  return answer;
};
const routes: Route[] = [
  post('!/changes', {
    ...route,
    stack: open(),
    body: Joi.object({}),
    handle: () => noting(data('done')),
  }),
  ...inboxRoutes,
];

let begun: number;
const begin = () => {
  begun += 1;
};
const rpc = {
  integrations: { ReceiveInboxMessage: () => noting({ id: 'message', received_at: 'now' }) },
};
const credentials = {
  knows: () => false,
  refuseBlocked: begin,
  prove: (_presented: unknown, handle: () => Promise<unknown>) => handle(),
};

let server: Server;
let laterMs: number;
beforeAll(async () => {
  const others = {
    rpc,
    credentials,
    limits: { consume: async () => begin() },
    requestMsMax: REQUEST_MS_MAX,
  };
  server = testApp(routes, others).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
beforeEach(() => {
  [begun, laterMs] = [0, 0];
  const own = Date.now.bind(Date);
  jest.spyOn(Date, 'now').mockImplementation(() => own() + laterMs);
});
afterEach(() => jest.restoreAllMocks());
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

/** The status of the answer to a request whose last letter comes `waitMs` after it began. */
async function answered(path: string, waitMs: number): Promise<number> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close`;
  socket.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`);
  const before = begun;
  await until(() => begun > before);
  laterMs += waitMs;
  socket.write('}');
  await once(socket, 'close');
  return Number(heard.split(' ')[1]);
}

test.each([
  ['a change', '/changes', 200],
  ['a message for an inbox', `/inbox/${INBOX}/token`, 202],
])(
  '%s whose body takes longer than a request may is done, in the time that a request has',
  async (_name, path, status) => {
    expect(await answered(path, 2 * REQUEST_MS_MAX)).toBe(status);
    expect(left).toBeGreaterThan(REQUEST_MS_MAX / 2);
  },
);

test('a change has an end, however its body came', async () => {
  for (const waitMs of [0, 2 * REQUEST_MS_MAX]) {
    expect(await answered('/changes', waitMs)).toBe(200);
    expect(left).toBeLessThanOrEqual(REQUEST_MS_MAX);
  }
});

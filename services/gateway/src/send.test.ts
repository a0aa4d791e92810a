import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { platform } from '@laurel/errors';
import { until } from '@laurel/testing';
import { createLiveAnswers } from './middleware/live-answers';
import { downloadRoutes } from './routes/downloads/routes';
import { readingRoutes } from './routes/points/reading-routes';
import { data, get, live, open, type Route, stream } from './routing';
import { testApp } from './testing/test-app';

const route = { stack: open(), tag: 'Test', summary: 'a route of this test', description: 'x' };
const WORKSPACE = '018f3c5e-7b1a-7c3d-9e2f-0123456789ab';
const TOKEN = 'x'.repeat(43);

let read: number;
let isLetGo: boolean;
async function* pieces() {
  try {
    for (read = 1; ; read += 1) yield `${'piece '.repeat(10_000)}\n`;
  } finally {
    isLetGo = true;
  }
}
async function* beats() {
  for (;;) {
    yield ': beat\n\n';
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** What every service behind the gateway answers while it is away. */
const away = async () => {
  throw platform.serviceUnavailable({ retryAfterSeconds: 2 });
};
async function* awayAtOnce() {
  yield await away();
}
let kind: string;
const rpc = {
  identity: {
    TakeDownload: async () => ({ kind, workspace_id: WORKSPACE, params: { client_id: WORKSPACE } }),
  },
  ledger: { ExportEntries: awayAtOnce, ListEntries: away },
  rewards: { ListRedemptions: away },
  clients: { ExportClients: awayAtOnce, ExportPerson: awayAtOnce },
};

const errors: unknown[] = [];
const silent = () => undefined;
const logger = {
  debug: silent,
  info: silent,
  warn: silent,
  error: (what: object) => errors.push(what),
};
const credentials = {
  knows: () => true,
  refuseBlocked: silent,
  prove: async (_: unknown, handle: () => Promise<unknown>) => handle(),
};
const routes: Route[] = [
  ...downloadRoutes,
  ...readingRoutes,
  get('!/pieces', { ...route, handle: async () => stream('text/plain', 'p.txt', pieces()) }),
  get('!/live', { ...route, handle: async () => live('text/event-stream', beats()) }),
  get('!/next', { ...route, handle: async () => data('answered') }),
];

let server: Server;
let port: number;
let root: string;
beforeAll(async () => {
  const liveAnswers = createLiveAnswers({ max: 5, callerMax: 5 }, logger);
  const reauthenticate = { caller: async () => ({}), admit: async () => '' };
  const others = { rpc, logger, credentials, liveAnswers, reauthenticate };
  server = testApp(routes, others).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  root = `http://127.0.0.1:${port}`;
});
beforeEach(() => {
  isLetGo = false;
  errors.length = 0;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

test.each(['customers', 'ledger', 'person', 'statement', 'redemptions'])(
  'a download of %s whose service is away is a 503, with no name of a file',
  async (named) => {
    kind = named;
    const answer = await fetch(`${root}/downloads/${TOKEN}`);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    expect(answer.headers.get('content-disposition')).toBeNull();
    expect(await answer.json()).toMatchObject({
      errors: [{ extensions: { code: 'SERVICE_UNAVAILABLE' } }],
    });
  },
);

test('an export of the ledger while the ledger is away is a 503', async () => {
  const path = `/service-api/workspace/${WORKSPACE}/loyalty/points/ledger/export`;
  expect((await fetch(root + path)).status).toBe(503);
});

test('a reader who breaks a download off lets its source go, and is no fault', async () => {
  const ending = new AbortController();
  const answer = await fetch(`${root}/pieces`, { signal: ending.signal });
  await answer.body!.getReader().read();
  ending.abort();
  await until(async () => isLetGo);
  expect(errors).toEqual([]);
});

test('for the HEAD of a download no more than its beginning is read', async () => {
  const { status, headers } = await fetch(`${root}/pieces`, { method: 'HEAD' });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  expect([read, isLetGo]).toEqual([1, true]);
});

test('the HEAD of an answer that goes on and on ends, and the next request of its connection is answered', async () => {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  socket.on('data', (chunk) => {
    received += chunk;
  });
  socket.write('HEAD /live HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(async () => received.includes('text/event-stream'));
  socket.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n');
  await until(async () => received.includes('answered'));
  socket.destroy();
});

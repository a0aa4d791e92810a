import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { platform, type Refusal } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';
import { until } from '@laurel/testing';
import { createLiveAnswers } from './middleware/live-answers';
import { downloadRoutes } from './routes/downloads/routes';
import { readingRoutes } from './routes/points/reading-routes';
import { data, get, live, open, type Route, stream } from './routing';
import { testApp } from './testing/test-app';

const route = { stack: open(), tag: 'Test', summary: 'a route of this test', description: 'x' };
const WORKSPACE = '018f3c5e-7b1a-7c3d-9e2f-0123456789ab';
const TOKEN = 'x'.repeat(43);
const PARAMS = { client_id: WORKSPACE, format: 'csv' };

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
async function* texts() {
  for await (const text of pieces()) yield { text };
}
let kind: string;
let exported: () => AsyncIterable<unknown>;
/** Of whom it was asked whether they may read on, until when, and what is then said. */
let looks: string[];
let deadlineAt: number | undefined;
let refusal: Refusal | null;
const look = (whose: string) => async () => {
  looks.push(whose);
  ({ deadlineAt } = currentContext());
  if (refusal) throw refusal;
};
const rpc = {
  identity: {
    TakeDownload: async () => ({ kind, workspace_id: WORKSPACE, params: PARAMS }),
    ConfirmDownload: look('who made the address'),
  },
  ledger: { ExportEntries: awayAtOnce, ListEntries: away },
  rewards: { ListRedemptions: away },
  clients: { ExportClients: () => exported(), ExportPerson: awayAtOnce },
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
  const reauthenticate = { caller: look('the caller'), admit: async () => '' };
  const others = { rpc, logger, credentials, liveAnswers, reauthenticate };
  server = testApp(routes, others).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  root = `http://127.0.0.1:${port}`;
});
beforeEach(() => {
  isLetGo = false;
  errors.length = 0;
  exported = awayAtOnce;
  [looks, refusal] = [[], null];
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

describe('a file whose reader', () => {
  /** More than stands between the two ends of a connection. */
  const ENOUGH = 30_000_000;
  let laterMs: number;
  beforeEach(() => {
    laterMs = 0;
    exported = texts;
    kind = 'customers';
    const own = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => own() + laterMs);
  });
  afterEach(() => jest.restoreAllMocks());

  /** A reader that takes so much at a time, and says how that went. */
  async function readerOf(path: string) {
    const reader = (await fetch(root + path)).body!.getReader();
    const more = async () => {
      try {
        for (let bytes = 0; bytes < ENOUGH; ) {
          const { done, value } = await reader.read();
          if (done) return 'whole';
          bytes += value.length;
        }
        return 'goes on';
      } catch {
        return 'broken off';
      }
    };
    return { more, end: () => reader.cancel() };
  }

  test.each([
    ['an export', '/pieces', 'the caller'],
    ['a download', `/downloads/${TOKEN}`, 'who made the address'],
  ])('was put out breaks off, and lets its source go: %s', async (_name, path, whose) => {
    const { more } = await readerOf(path);
    expect(await more()).toBe('goes on');
    refusal = platform.forbidden();
    laterMs += 10_000;
    expect(await more()).toBe('broken off');
    await until(async () => isLetGo);
    expect([looks, errors]).toEqual([[whose], []]);
  });

  test('reads it fast costs no look, and another costs one every ten seconds, however long ago its request came', async () => {
    const { more, end } = await readerOf('/pieces');
    expect([await more(), looks.length]).toEqual(['goes on', 0]);
    for (const asked of [1, 2, 3]) {
      laterMs += 10_000;
      expect([await more(), looks.length, deadlineAt]).toEqual(['goes on', asked, undefined]);
    }
    await end();
  });

  test('cannot be asked about goes on for a minute, and then breaks off', async () => {
    const { more } = await readerOf('/pieces');
    refusal = platform.serviceUnavailable({ retryAfterSeconds: 1 });
    for (const asked of [1, 2, 3]) {
      laterMs += 15_000;
      expect([await more(), looks.length]).toEqual(['goes on', asked]);
    }
    laterMs += 20_000;
    expect(await more()).toBe('broken off');
  });

  test('was put out before its first piece came is refused, with no name of a file', async () => {
    exported = async function* () {
      laterMs += 10_000;
      yield { text: 'x' };
    };
    refusal = platform.forbidden();
    const answer = await fetch(`${root}/downloads/${TOKEN}`);
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([403, null]);
  });
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

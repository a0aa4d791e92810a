import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { platform, type Refusal } from '@laurel/errors';
import { until } from '@laurel/testing';
import { createHttpServer } from './http-server';
import { anonymous } from './middleware/caller';
import { createWorkspaceGuard } from './middleware/workspace-guard';
import { clientImportRoutes } from './routes/client-import/routes';
import { fileRoutes } from './routes/files/routes';
import { data, get, member, open, post, type Route, user } from './routing';
import type { RpcClients } from './rpc-clients';
import { Joi, jsonObject, oneLine, text } from './schema/types';
import { testApp } from './testing/test-app';

const route = { stack: open(), tag: 'Test', summary: 'a route of this test', description: 'x' };
const LARGEST_ERROR = 64 * 1024;

const routes: Route[] = [
  post('!/form', {
    ...route,
    stack: user(),
    body: Joi.object({
      name: oneLine(100),
      note: text(1_000_000),
      list: Joi.array().items(Joi.string()).max(20_000),
      nested: jsonObject(),
    }),
    handle: async ({ body }) => data(body),
  }),
  post('!/long', {
    ...route,
    bodyMembersMax: 20_000,
    body: Joi.object({ list: Joi.array().items(Joi.number()).max(15_000) }),
    handle: async () => data('taken'),
  }),
  post('!/refused', {
    ...route,
    stack: open('ENROLL'),
    body: Joi.object({}),
    handle: async () => data('taken'),
  }),
  get('!/search/:word', {
    ...route,
    query: Joi.object({ q: text(255) }),
    handle: async () => data(1),
  }),
];

const limits = {
  consume: async (name: string) => {
    if (name === 'ENROLL' || name === 'EMBED') throw platform.rateLimited({ retryAfterSeconds: 5 });
  },
};

let server: Server;
let port: number;
beforeAll(async () => {
  server = createHttpServer(testApp(routes, { limits }), 100, { headersMsMax: 300 }).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

async function send(path: string, body: string) {
  const url = `http://127.0.0.1:${port}${path}`;
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const answer = await response.text();
  return { status: response.status, size: answer.length, errors: JSON.parse(answer).errors ?? [] };
}

/** What comes back on one connection for what is written to it, until the server closes it or `isEnough`. */
async function converse(chunks: Iterable<string | Buffer>, isEnough: (text: string) => boolean) {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      received += chunk;
      if (isEnough(received)) resolve();
    });
    socket.on('close', () => resolve());
    socket.on('error', () => undefined);
  });
  for (const chunk of chunks)
    if (!socket.write(chunk)) await Promise.race([done, once(socket, 'drain')]);
  await done;
  socket.destroy();
  return received;
}

describe('a body that is all problems', () => {
  const unknownKeys = Object.fromEntries(
    Array.from({ length: 95_000 }, (_, key) => [`k${key}`, 1]),
  );
  test.each([
    ['a hundred thousand zeros in a list', JSON.stringify({ list: Array(100_000).fill(0) })],
    ['ninety-five thousand unknown keys', JSON.stringify(unknownKeys)],
    ['half a million levels', `{"nested":${'['.repeat(500_000)}${']'.repeat(500_000)}}`],
    ['empty lists without end', `{"nested":[${'[],'.repeat(300_000)}0]}`],
  ])('of %s is refused before it is parsed, with one problem', async (_name, body) => {
    const { status, size, errors } = await send('/form', body);
    expect([status, errors.length]).toEqual([400, 1]);
    expect(errors[0].message).toMatch(
      /has more than 10000? members|is nested deeper than 20 levels/,
    );
    expect(size).toBeLessThan(1_000);
  });

  test('is answered with twenty of them at most', async () => {
    const { status, errors } = await send('/form', JSON.stringify({ list: Array(400).fill(0) }));
    expect([status, errors.length]).toEqual([400, 20]);
    expect(errors[19].extensions.field).toBe('list.19');
    expect(errors[19].message).toBe('list.19 must be a string');
  });

  test('of many members is answered with the first: to build all of them takes too long', async () => {
    const { status, errors } = await send('/form', JSON.stringify({ list: Array(9_000).fill(0) }));
    expect([status, errors.length]).toEqual([400, 1]);
  });

  test('that are as long as a body may be is answered with a short sentence', async () => {
    const long = 'x'.repeat(1_000_000);
    for (const body of [{ [long]: 1 }, { name: long }, { nested: { [`${long}\0`]: 1 } }]) {
      const { status, size } = await send('/form', JSON.stringify(body));
      expect(status).toBe(400);
      expect(size).toBeLessThan(LARGEST_ERROR);
    }
  });

  test('is as long as its route says', async () => {
    expect((await send('/long', JSON.stringify({ list: Array(15_000).fill(0) }))).status).toBe(200);
    expect((await send('/long', JSON.stringify({ list: Array(20_001).fill(0) }))).status).toBe(400);
  });

  test('members are not counted in texts', async () => {
    const note = ',[{"\\'.repeat(20_000);
    expect((await send('/form', JSON.stringify({ note }))).status).toBe(200);
  });
});

test('JSON in another encoding than UTF-8 is 415: its members cannot be counted', async () => {
  const response = await fetch(`http://127.0.0.1:${port}/form`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json; charset=utf-16le' },
    body: Buffer.from('{}', 'utf16le'),
  });
  expect(response.status).toBe(415);
});

describe('null characters and halves of surrogate pairs', () => {
  test.each([
    ['in a text', '{"name":"a\\u0000b"}', 'name'],
    ['in a free-form value', '{"nested":{"a":[{"b":"\\ud800"}]}}', 'nested.a.0.b'],
    ['in a list', '{"list":["ok","\\udc00x"]}', 'list.1'],
    ['in a key', '{"nested":{"a\\u0000":1}}', 'nested.a\0'],
  ])('%s of a body are refused with its place', async (_name, body, field) => {
    const { status, errors } = await send('/form', body);
    expect([status, errors[0].extensions]).toEqual([400, { code: 'INVALID_PAYLOAD', field }]);
  });

  test('a body that is not UTF-8 is refused: what stands there would be guessed', async () => {
    for (const bytes of [[0xed, 0xa0, 0x80], [0xc3], [0xff]]) {
      const response = await fetch(`http://127.0.0.1:${port}/form`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from('"}')]),
      });
      const { errors } = (await response.json()) as { errors: { message: string }[] };
      expect([response.status, errors[0]!.message]).toEqual([400, 'the body is not UTF-8']);
    }
  });

  test('a percent sign that encodes nothing stands for itself in a query', async () => {
    expect((await fetch(`http://127.0.0.1:${port}/search/word?q=100%`)).status).toBe(200);
  });

  test('whole pairs are taken', async () => {
    expect((await send('/form', '{"name":"\\ud83d\\ude00"}')).status).toBe(200);
  });

  test.each([
    ['/search/word?q=a%00b', 'q'],
    ['/search/wo%00rd', 'word'],
    // Half a pair, as it would be in UTF-8, and half of a character.
    ['/search/word?q=a%ED%A0%80b', 'q'],
    ['/search/word?q=%C3', 'q'],
  ])('%s is refused with its place', async (path, field) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    const { errors } = (await response.json()) as { errors: { extensions: { field: string } }[] };
    expect([response.status, errors[0]!.extensions.field]).toEqual([400, field]);
  });
});

test.each(['a\nb', 'a\tb', 'a\u0085b', 'a\u2028b', '\u001b[31m'])(
  'a text of one line does not take %j',
  async (name) => {
    const { status, errors } = await send('/form', JSON.stringify({ name }));
    expect([status, errors[0].extensions.field]).toEqual([400, 'name']);
  },
);

describe('a refusal while the body still comes', () => {
  const NEXT = 'GET /search/word HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const head = (lines: string) => `POST /refused HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n`;
  const json = 'Content-Type: application/json';

  test('leaves the connection to the next request where the rest is small', async () => {
    const body = JSON.stringify({ note: 'x'.repeat(300_000) });
    const chunks = [head(`${json}\r\nContent-Length: ${body.length}`), body, NEXT];
    const received = await converse(chunks, () => false);
    expect(received).toMatch(/^HTTP\/1\.1 429 /);
    expect(received).toMatch(/HTTP\/1\.1 200 [\s\S]*"data":1/);
  });

  test.each([
    ['of a declared length', 'Content-Length: 3000000', () => 'x'.repeat(3_000_000)],
    [
      'in chunks',
      'Transfer-Encoding: chunked',
      () => `${'10000\r\n'.concat('x'.repeat(65_536), '\r\n').repeat(40)}0\r\n\r\n`,
    ],
  ])(
    'says that the connection ends where the rest %s is large, and is read',
    async (_name, line, body) => {
      const received = await converse([head(`${json}\r\n${line}`), body(), NEXT], () => false);
      expect(received).toMatch(/^HTTP\/1\.1 429 [\s\S]*\r\nConnection: close\r\n/);
      expect(received).toContain('RATE_LIMITED');
      expect(received.match(/HTTP\/1\.1/g)).toHaveLength(1);
    },
  );

  test('is a 413 that the sender reads when JSON is over 1 MiB, chunked or not', async () => {
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const form = 'POST /form HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    for (const [line, body] of [
      ['Content-Length: 2000000', 'x'.repeat(2_000_000)],
      ['Transfer-Encoding: chunked', `${chunk.repeat(32)}0\r\n\r\n`],
    ] as const) {
      const received = await converse([`${form}${line}\r\n\r\n`, body, NEXT], () => false);
      expect(received).toMatch(/^HTTP\/1\.1 413 /);
      expect(received).toMatch(
        /\r\nConnection: close\r\n[\s\S]*TOO_LARGE|TOO_LARGE[\s\S]*"data":1/,
      );
    }
  });
});

test('a preflight of a form is within a limit, before its token is looked up', async () => {
  const headers = { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'POST' };
  for (const name of ['distribution', 'distributi%6fn']) {
    const address = `http://127.0.0.1:${port}/service-api/embed/${name}/guess/submit`;
    expect((await fetch(address, { method: 'OPTIONS', headers })).status).toBe(429);
  }
});

test.each(['Host: y', 'authorization: Bearer b', 'Content-type: text/plain'])(
  'a request with a second %s is refused: what stands in front may have gone by the other',
  async (second) => {
    const head = 'GET /search/word HTTP/1.1\r\nHost: x\r\nConnection: close\r\n';
    const first = 'Authorization: Bearer a\r\nContent-Type: application/json\r\nAccept: */*\r\n';
    const received = await converse([`${head}${first}${second}\r\n\r\n`], () => false);
    expect(received).toMatch(/^HTTP\/1\.1 400 [\s\S]*is sent twice/);
    const fine = await converse([`${head}${first}Accept: text/html\r\n\r\n`], () => false);
    expect(fine).toMatch(/^HTTP\/1\.1 200 /);
  },
);

describe('who is put out of a workspace, or signed out, while their body is on its way', () => {
  const workspaceId = '018f3c5e-7b1a-7c3d-9e2f-0123456789a0';
  const inside = { userId: 'u', role: 'admin', roleId: null, permissions: [], isCreator: false };
  const membership = { workspaceId, ...inside };
  let [lookedUp, refusal]: [number, Refusal | null] = [0, null];
  const stillThere = async () => {
    if (refusal) throw refusal;
    return membership;
  };
  const authenticate = {
    caller: async () => {
      lookedUp += 1;
      return { ...anonymous('ip'), type: 'user', userId: 'u', membership: await stillThere() };
    },
    admit: createWorkspaceGuard({
      rpc: {} as RpcClients,
      membership: stillThere,
      workspaceOfKey: async () => null,
    }),
  };
  const things = post(':ws/things', {
    ...route,
    stack: member(),
    body: Joi.object({}),
    handle: async () => data('done'),
  });
  let called: string[];
  const noting =
    (name: string, answer: object = {}) =>
    async () => {
      called.push(name);
      return answer;
    };
  const rpc = {
    identity: { ResolveMembership: async () => membership },
    clients: {
      OpenImport: noting('opened', { id: 'import' }),
      AppendImport: noting('appended'),
      CloseImport: noting('imported'),
      AbandonImport: noting('abandoned'),
      CheckImport: noting('checked'),
    },
    passes: { StorePicture: noting('stored', { file: {}, warnings: [] }) },
  };
  let guarded: Server;
  beforeAll(async () => {
    const table = [things, ...clientImportRoutes, ...fileRoutes];
    guarded = createHttpServer(testApp(table, { rpc, authenticate }), 10);
    await once(guarded.listen(0, '127.0.0.1'), 'listening');
  });
  beforeEach(() => {
    refusal = null;
    called = [];
  });
  afterAll(() => {
    guarded.close();
    guarded.closeAllConnections();
  });

  /** The answer to a request whose last letter comes once its sender was looked up, and `meanwhile` is over. */
  async function answerTo(
    { path, type, body }: { path: string; type: string; body: string },
    meanwhile: () => void,
  ) {
    const socket = connect((guarded.address() as AddressInfo).port, '127.0.0.1');
    let heard = '';
    socket.on('data', (chunk) => {
      heard += chunk;
    });
    const before = lookedUp;
    const head = `POST /service-api${path} HTTP/1.1\r\nHost: x\r\nConnection: close`;
    socket.write(`${head}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`);
    socket.write(body.slice(0, -1));
    await until(() => lookedUp > before);
    meanwhile();
    socket.write(body.slice(-1));
    await once(socket, 'close');
    return Number(heard.split(' ')[1]);
  }
  const ws = `/workspace/${workspaceId}`;
  const form = [
    ['name="workspace_id"', workspaceId],
    ['name="file"; filename="a.png"', 'x'],
  ].map(([name, value]) => `--b\r\nContent-Disposition: form-data; ${name}\r\n\r\n${value}\r\n`);
  test.each([
    ['a change', `${ws}/things`, 'application/json', '{}', 200, []],
    [
      'an import of clients',
      `${ws}/clients/import`,
      'text/csv',
      'email\na@b.example\n',
      202,
      ['opened', 'appended', 'imported'],
    ],
    ['a look at an import', `${ws}/clients/import/check`, 'text/csv', 'email\n', 200, ['checked']],
    [
      'a picture',
      '/files',
      'multipart/form-data; boundary=b',
      `${form.join('')}--b--`,
      201,
      ['stored'],
    ],
  ])('has %s refused, which others have done', async (_name, path, type, body, status, done) => {
    const request = { path, type, body };
    expect(await answerTo(request, () => undefined)).toBe(status);
    expect(called).toEqual(done);
    for (const [refused, given] of [
      [403, platform.forbidden()],
      [401, platform.invalidToken()],
    ] as const) {
      called = [];
      const put = () => {
        refusal = given;
      };
      expect(await answerTo(request, put)).toBe(refused);
      refusal = null;
      expect(called).toEqual(done.includes('imported') ? ['opened', 'appended', 'abandoned'] : []);
    }
  });
});

test('headers that come too slowly end the connection soon after their time', async () => {
  const socket = connect(port, '127.0.0.1');
  const startedAt = Date.now();
  socket.write('GET /search/word HTTP/1.1\r\nX-Slow: ');
  socket.resume();
  await once(socket, 'close');
  // Node's own sweep would find them after thirty seconds.
  expect(Date.now() - startedAt).toBeLessThan(20_000);
});

test('a gateway keeps no more connections open than its setting says', () => {
  expect(server.maxConnections).toBe(100);
});

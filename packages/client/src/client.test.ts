import { getEventListeners } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type Attempt,
  ConnectionError,
  isLaurelError,
  Laurel,
  LaurelError,
  type LaurelOptions,
  rowsOf,
  type StreamedEvent,
} from '.';
import { linesOf } from './streams';

const WORKSPACE = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const CLIENT = '3f2504e0-4f89-41d3-9a0c-0305e82c3302';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}
type Answer = (seen: Seen, response: ServerResponse) => void;

let server: Server;
let seen: Seen[];
let answers: Answer[];

/** Answers the next call as the first of `answers` says; the last one stays. */
beforeEach(async () => {
  seen = [];
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers } = request;
    const call = { method, url, headers, body };
    seen.push(call);
    (answers.length > 1 ? answers.shift() : answers[0])?.(call, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));
const refusal = (status: number, code: string, extensions: object = {}, headers = {}) =>
  json(status, { errors: [{ message: 'no', extensions: { code, ...extensions } }] }, headers);
const dropped: Answer = (_, response) => response.destroy();
/** The head of an answer comes, and half of what stands in it. */
const brokenOff: Answer = (_, response) => {
  response.writeHead(201, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"data":{', () => response.destroy());
};

function laurel(options: Partial<LaurelOptions> = {}): Laurel {
  const { port } = server.address() as AddressInfo;
  return new Laurel({
    baseUrl: `http://127.0.0.1:${port}`,
    token: 'a token',
    workspace: WORKSPACE,
    ...options,
  });
}

describe('a call', () => {
  test('goes to its path with its body and credential, and gives what stands under data', async () => {
    answers = [json(201, { data: { id: 'entry' } })];
    const entry = await laurel().points.earn({ client_id: CLIENT, amount: 12.5 });
    expect(entry).toEqual({ id: 'entry' });
    expect(seen).toMatchObject([
      {
        method: 'POST',
        url: `/service-api/workspace/${WORKSPACE}/loyalty/points/earn`,
        headers: { authorization: 'Bearer a token', 'content-type': 'application/json' },
        body: JSON.stringify({ client_id: CLIENT, amount: 12.5 }),
      },
    ]);
  });

  test('takes the ids of its path first, and its query as one object', async () => {
    answers = [json(200, { data: [] })];
    await laurel().rewards.list({ limit: 5, offset: undefined }, { workspace: 'another' });
    await laurel().clients.listExternalIdentities('an id');
    expect(seen.map(({ url }) => url)).toEqual([
      '/service-api/workspace/another/rewards?limit=5',
      `/service-api/workspace/${WORKSPACE}/clients/an%20id/external-identities`,
    ]);
  });

  test.each(['/shops/one', '/shops/one/'])(
    'stays below %s where the platform is there',
    async (place) => {
      answers = [json(200, { data: [] })];
      const { port } = server.address() as AddressInfo;
      await laurel({ baseUrl: `http://127.0.0.1:${port}${place}` }).workspaces.list();
      expect(seen[0]!.url).toBe('/shops/one/service-api/workspaces');
    },
  );

  test('is refused before it is sent where an id or the workspace is missing', async () => {
    await expect(laurel().clients.get('')).rejects.toThrow('id is missing');
    await expect(laurel({ workspace: undefined }).clients.get('x')).rejects.toThrow(
      'workspace is missing',
    );
    expect(seen).toEqual([]);
  });

  test.each(['.', '..'])(
    'with the id %s is refused: its address would be another one',
    async (id) => {
      await expect(laurel().webhooks.delete(id)).rejects.toThrow('id is missing');
      expect(seen).toEqual([]);
    },
  );
});

describe('an answer', () => {
  test('is there beside what it holds', async () => {
    answers = [json(200, { data: { id: CLIENT } }, { 'x-request-id': 'request 1' })];
    const { data, response } = await laurel().clients.get(CLIENT).withResponse();
    expect(data).toEqual({ id: CLIENT });
    expect(response.headers.get('x-request-id')).toBe('request 1');
  });

  test('of many lines is read line by line, and may take longer than a try', async () => {
    answers = [
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/x-ndjson' }).write('{"id":1}\n{"i');
        setTimeout(() => response.end('d":2}\n'), 2_000);
      },
    ];
    const rows: unknown[] = [];
    const file = await laurel({ timeoutMs: 1_500 }).clients.export();
    for await (const row of rowsOf(file)) rows.push(row);
    expect(rows).toEqual([{ id: 1 }, { id: 2 }]);
  });
});

test('lines are read whole wherever their pieces were cut, and one that ends within a letter is not taken for whole', async () => {
  const lines = async (...pieces: Uint8Array[]) => {
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        for (const piece of pieces) stream.enqueue(piece);
        stream.close();
      },
    });
    const read: string[] = [];
    for await (const line of linesOf(new Response(body))) read.push(line);
    return read;
  };
  const bytes = Buffer.from('Jörg\nZoë');
  const within = bytes.indexOf('ö') + 1;
  expect(await lines(bytes.subarray(0, within), bytes.subarray(within))).toEqual(['Jörg', 'Zoë']);
  expect(await lines(bytes.subarray(0, -1))).toEqual(['Jörg', 'Zo\ufffd']);
});

describe('a session', () => {
  test('that the platform takes no longer is asked for anew, once', async () => {
    answers = [refusal(401, 'TOKEN_EXPIRED'), json(200, { data: { id: CLIENT } })];
    const token = jest.fn((isRefused: boolean) => (isRefused ? 'new' : 'old'));
    await laurel({ token }).clients.get(CLIENT);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);

    answers = [refusal(401, 'INVALID_TOKEN')];
    await expect(laurel({ token }).clients.get(CLIENT)).rejects.toMatchObject({ status: 401 });
    await expect(laurel().clients.get(CLIENT)).rejects.toMatchObject({ status: 401 });
    expect(seen).toHaveLength(5);
  });

  test('that cannot be made anew ends the call with what the platform said of it', async () => {
    answers = [refusal(401, 'TOKEN_EXPIRED')];
    const token = async (isRefused: boolean) => {
      if (isRefused) throw new LaurelError({ ...ENDED, status: 401 });
      return 'old';
    };
    await expect(laurel({ token }).clients.get(CLIENT)).rejects.toMatchObject({ status: 401 });
    expect(seen).toHaveLength(1);
  });
});
const ENDED = { problems: [], requestId: undefined, retryAfterSeconds: undefined };

describe('a stream of events', () => {
  const frames =
    (...texts: string[]): Answer =>
    (_, response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(texts.join(''));
  const event = (id: string) => `id: after ${id}\ndata: {"id":"${id}"}\n\n`;
  const cursorsAsked = () =>
    seen.map(({ url }) => new URL(url, 'http://x').searchParams.get('cursor'));

  async function collect(stream: AsyncIterable<StreamedEvent>, count: number) {
    const events: StreamedEvent[] = [];
    for await (const one of stream) if (events.push(one) === count) break;
    return events;
  }
  const take = async (stream: AsyncIterable<StreamedEvent>, count: number) =>
    (await collect(stream, count)).map(({ id }) => id);

  test('goes on behind the last event where the line breaks, and past what was not asked for', async () => {
    answers = [
      frames('retry: 1\nid: start\n\n', event('1'), 'id: after 2\nda'),
      refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': '0' }),
      frames(event('2'), 'id: after 3\n\n'),
      frames(event('4')),
    ];
    expect(await take(laurel({ retries: 0 }).events.stream(), 3)).toEqual(['1', '2', '4']);
    expect(cursorsAsked()).toEqual([null, 'after 1', 'after 1', 'after 3']);
  });

  test('leaves nothing on its signal, however often the line breaks', async () => {
    const { signal } = new AbortController();
    answers = Array.from({ length: 3 }, (_, index) => frames(event(`${index}`)));
    await take(laurel().events.stream({}, { signal }), 3);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('says where to go on, also in another process', async () => {
    answers = [frames(event('1'))];
    const [first] = await collect(laurel().events.stream(), 1);
    expect(first).toMatchObject({ id: '1', cursor: 'after 1' });
    await take(laurel().events.stream({ cursor: first!.cursor, event_types: ['client.*'] }), 1);
    expect(seen[1]!.url).toContain('cursor=after+1&event_types=client.*');
  });

  test('ends with a refusal, with its signal, with what is wrong in the call, and where no server was there from the start', async () => {
    answers = [frames(event('1')), refusal(401, 'INVALID_TOKEN')];
    await expect(take(laurel().events.stream(), 2)).rejects.toMatchObject({ status: 401 });
    answers = [dropped];
    const never = laurel({ retries: 0 }).events.stream();
    await expect(take(never, 1)).rejects.toBeInstanceOf(ConnectionError);
    const ending = new AbortController();
    answers = [(_, response) => response.writeHead(200).write(event('1'))];
    const stream = laurel().events.stream({}, { signal: ending.signal });
    await take({ [Symbol.asyncIterator]: () => stream }, 1);
    const nowhere = laurel({ workspace: undefined }).events.stream({ cursor: 'x' });
    await expect(take(nowhere, 1)).rejects.toThrow('workspace is missing');
    answers = [frames('id: after 1\ndata: {"id"\n\n')];
    await expect(take(laurel().events.stream(), 1)).rejects.toBeInstanceOf(SyntaxError);
    answers = [() => ending.abort()];
    const ended = laurel().events.stream({ cursor: 'x' }, { signal: ending.signal });
    await expect(take(ended, 1)).rejects.toThrow('aborted');
  });
});

describe('a call that gets no good answer', () => {
  test('is repeated under one Idempotency-Key, so that nothing is booked twice', async () => {
    answers = [dropped, refusal(503, 'SERVICE_UNAVAILABLE'), json(201, { data: { id: 'entry' } })];
    await laurel().points.earn({ client_id: CLIENT, amount: 1 });
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toHaveLength(3);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^auto-/);
  });

  test('has a key of its own in a page that is served without TLS, too', async () => {
    const owner = Object.getPrototypeOf(crypto);
    const property = Object.getOwnPropertyDescriptor(owner, 'randomUUID')!;
    Object.defineProperty(owner, 'randomUUID', { ...property, value: undefined });
    try {
      answers = [json(201, { data: { id: 'entry' } })];
      await laurel().points.earn({ client_id: CLIENT, amount: 1 });
      await laurel().points.earn({ client_id: CLIENT, amount: 1 });
    } finally {
      Object.defineProperty(owner, 'randomUUID', property);
    }
    const keys = seen.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(2);
  });

  test('is repeated under its key where the answer breaks off, comes too slowly or is of somebody else', async () => {
    const slow: Answer = (_, response) => void response.writeHead(201).write('{"data":{');
    const ofAnother: Answer = (_, response) => response.writeHead(200).end('<html>Sign in</html>');
    answers = [brokenOff, slow, ofAnother, json(201, { data: { id: 'entry' } })];
    const entry = await laurel({ retries: 3, timeoutMs: 1_500 }).points.earn({
      client_id: CLIENT,
      amount: 1,
    });
    expect(entry).toEqual({ id: 'entry' });
    expect(seen).toHaveLength(4);
    expect(new Set(seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  });

  test.each<[string, Answer]>([
    ['breaks off', brokenOff],
    ['is of somebody else', (_, response) => response.writeHead(200).end('<html>')],
  ])('whose answer %s says with which key a repeat is safe', async (_, answer) => {
    answers = [answer];
    const failed = laurel({ retries: 0 }).points.earn({ client_id: CLIENT, amount: 1 });
    await expect(failed).rejects.toMatchObject({
      name: 'ConnectionError',
      idempotencyKey: expect.stringMatching(/^auto-/),
    });
  });

  test('is repeated where the server did not hear all of it in time, and then only if that can do no harm', async () => {
    const late: Answer = (_, response) => void response.writeHead(408).end();
    answers = [late, json(201, { data: { id: 'entry' } })];
    await laurel().points.earn({ client_id: CLIENT, amount: 1 });
    expect(seen).toHaveLength(2);
    answers = [late];
    await expect(laurel().user.regenerateApiToken()).rejects.toMatchObject({ status: 408 });
    expect(seen).toHaveLength(3);
  });

  test.each<[string, Answer]>([
    ['cannot take it now', refusal(503, 'SERVICE_UNAVAILABLE')],
    ['takes no more calls', refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '3600' })],
    ['is still at work on it', refusal(409, 'CONFLICT', {}, { 'retry-after': '3600' })],
    ['knows its token no longer', refusal(401, 'TOKEN_EXPIRED')],
  ])('and whose repeat hears that the platform %s says the key, too', async (_, answer) => {
    answers = [dropped, answer];
    const failed = laurel({ retries: 1 }).points.earn({ client_id: CLIENT, amount: 1 });
    await expect(failed).rejects.toMatchObject({
      name: 'LaurelError',
      idempotencyKey: expect.stringMatching(/^auto-/),
    });
  });

  test('says no key where it was refused for good: nothing has happened', async () => {
    answers = [dropped, refusal(400, 'INVALID_PAYLOAD')];
    const failed = laurel().points.earn({ client_id: CLIENT, amount: 1 });
    await expect(failed).rejects.toMatchObject({ status: 400, idempotencyKey: undefined });
  });

  test('is done where it deletes, and its repeat finds nothing', async () => {
    answers = [dropped, refusal(404, 'RECORD_NOT_FOUND')];
    expect(await laurel().rewards.delete(CLIENT)).toEqual({ message: expect.any(String) });
    answers = [refusal(502, 'INTERNAL'), refusal(404, 'RECORD_NOT_FOUND')];
    expect(await laurel().staffAppConfig.deleteAction(CLIENT)).toBeUndefined();
    answers = [refusal(404, 'RECORD_NOT_FOUND')];
    await expect(laurel().rewards.delete(CLIENT)).rejects.toMatchObject({ status: 404 });
    answers = [refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '0' }), answers[0]!];
    await expect(laurel().rewards.delete(CLIENT)).rejects.toMatchObject({ status: 404 });
  });

  test('is of unknown outcome where its repeat is refused for what an earlier try may have done', async () => {
    const headers = { 'If-Match': '"1"' };
    answers = [dropped, refusal(412, 'PRECONDITION_FAILED')];
    const changed = laurel().rewards.update(CLIENT, { name: 'x' }, { headers });
    await expect(changed).rejects.toMatchObject({
      name: 'ConnectionError',
      message: expect.stringContaining('an earlier try was lost'),
      cause: { status: 412 },
    });
    answers = [dropped, refusal(400, 'INVALID_PAYLOAD')];
    await expect(laurel().tiers.delete(CLIENT)).rejects.toBeInstanceOf(ConnectionError);
    answers = [dropped, refusal(404, 'RECORD_NOT_FOUND')];
    const gone = laurel().rewards.update(CLIENT, { name: 'x' });
    await expect(gone).rejects.toMatchObject({ status: 404 });
  });

  test('is never repeated where it changes something and takes no key', async () => {
    answers = [dropped];
    await expect(laurel().user.regenerateApiToken()).rejects.toBeInstanceOf(ConnectionError);
    expect(seen).toHaveLength(1);
  });

  test('says that its outcome is unknown, and with which key a repeat is safe', async () => {
    answers = [dropped];
    const failed = laurel({ retries: 0 }).points.spend(
      { client_id: CLIENT, amount: 1 },
      { idempotencyKey: 'sale-7' },
    );
    await expect(failed).rejects.toMatchObject({
      name: 'ConnectionError',
      idempotencyKey: 'sale-7',
    });
  });

  test('tells of every try, and how long it waits until the next', async () => {
    const told: unknown[] = [];
    const onAttempt = ({ number, status, error, retryInMs }: Attempt) =>
      told.push([number, status ?? (error as Error).name, retryInMs]);
    answers = [
      dropped,
      refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': '1' }),
      json(200, { data: { id: CLIENT } }),
      refusal(404, 'RECORD_NOT_FOUND'),
    ];
    await laurel({ onAttempt }).clients.get(CLIENT);
    await expect(laurel({ onAttempt }).clients.get(CLIENT)).rejects.toMatchObject({ status: 404 });
    expect(told).toEqual([
      [1, 'TypeError', expect.any(Number)],
      [2, 503, 1_000],
      [3, 200, undefined],
      [1, 404, undefined],
    ]);
  });

  test('ends when the time for a try is up', async () => {
    answers = [() => undefined];
    const late = laurel({ retries: 0, timeoutMs: 50 }).clients.get(CLIENT);
    await expect(late).rejects.toThrow(/^clients\.get at http:\S+: no answer in time$/);
  });

  test('ends with its signal, whatever tries are left', async () => {
    answers = [refusal(503, 'SERVICE_UNAVAILABLE', {}, { 'retry-after': '30' })];
    const ending = new AbortController();
    const call = laurel({ onAttempt: () => ending.abort() }).clients.get(CLIENT, {
      signal: ending.signal,
    });
    await expect(call).rejects.toThrow('aborted');
    expect(seen).toHaveLength(1);
  });

  test('waits as long as the platform asks, and not at all where that is too long', async () => {
    answers = [refusal(429, 'RATE_LIMITED', {}, { 'retry-after': '3600' })];
    await expect(laurel().clients.get(CLIENT)).rejects.toMatchObject({ retryAfterSeconds: 3600 });
    expect(seen).toHaveLength(1);
  });
});

describe('a refusal', () => {
  test('is final, and says what is wrong in code, reason, fields and sentence', async () => {
    answers = [
      json(
        400,
        {
          errors: [
            {
              message: 'amount is required',
              extensions: { code: 'INVALID_PAYLOAD', field: 'amount', reason: 'missing' },
            },
            {
              message: 'colour is not a known field',
              extensions: { code: 'INVALID_PAYLOAD', field: 'colour' },
            },
          ],
        },
        { 'x-request-id': 'request 1' },
      ),
    ];
    const error = await laurel()
      .points.earn({ client_id: CLIENT, amount: 1 })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(LaurelError);
    expect(isLaurelError(error)).toBe(true);
    expect(error).toMatchObject({
      status: 400,
      code: 'INVALID_PAYLOAD',
      reason: 'missing',
      requestId: 'request 1',
    });
    expect(error.fields).toEqual({
      amount: 'amount is required',
      colour: 'colour is not a known field',
    });
    expect(error.message).toBe('amount is required; colour is not a known field');
    expect(seen).toHaveLength(1);
  });

  test('reads alike from the portal and from integrations', async () => {
    answers = [
      json(403, { error: 'portal_disabled' }),
      json(404, { error: { code: 'not_found', message: 'no webhook' } }),
    ];
    const portal = await laurel()
      .portal.getMe()
      .catch((thrown) => thrown);
    expect(portal).toMatchObject({ code: 'HTTP_403', reason: 'portal_disabled' });
    const webhook = await laurel()
      .webhooks.get(CLIENT)
      .catch((thrown) => thrown);
    expect(webhook).toMatchObject({ code: 'not_found', message: 'no webhook' });
  });

  test('of a body that is no JSON still says its status', async () => {
    answers = [(_, response) => response.writeHead(404).end('<html>')];
    await expect(laurel().clients.get(CLIENT)).rejects.toMatchObject({
      status: 404,
      code: 'HTTP_404',
    });
  });
});

describe('a list', () => {
  test('is its first page when it is awaited', async () => {
    answers = [json(200, { data: [{ id: 1 }], meta: { limit: 50, next_cursor: 'more' } })];
    expect(await laurel().clients.list()).toEqual({
      data: [{ id: 1 }],
      meta: { limit: 50, next_cursor: 'more' },
    });
    expect(seen).toHaveLength(1);
  });

  test('is every row of every page when it is walked through', async () => {
    answers = [
      json(200, { data: [{ id: 1 }, { id: 2 }], meta: { next_cursor: 'more' } }),
      json(200, { data: [{ id: 3 }], meta: { next_cursor: null } }),
    ];
    const rows = await laurel().clients.list({ status: 'active', limit: 2 }).all();
    expect(rows.map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(seen.map(({ url }) => url.split('?')[1])).toEqual([
      'status=active&limit=2',
      'status=active&limit=2&cursor=more',
    ]);
  });

  test('stops asking when its reader stops', async () => {
    answers = [json(200, { data: [{ id: 1 }, { id: 2 }], meta: { next_cursor: 'more' } })];
    for await (const _ of laurel().clients.list()) break;
    expect(await laurel().clients.list().all(2)).toHaveLength(2);
    expect(seen.every(({ url }) => !url.includes('cursor'))).toBe(true);
  });
});

test('a token is not taken in a browser unless one says that no other sees it', () => {
  Object.assign(globalThis, { document: {} });
  try {
    expect(() => laurel()).toThrow('dangerouslyAllowBrowser');
    expect(() => laurel({ dangerouslyAllowBrowser: true })).not.toThrow();
  } finally {
    Reflect.deleteProperty(globalThis, 'document');
  }
});

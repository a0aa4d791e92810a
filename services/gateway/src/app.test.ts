import { platform, Refusal, usedKey } from '@laurel/errors';
import { currentContext } from '@laurel/lifecycle';
import request from 'supertest';
import { data, get, message, open, post, type Route, withoutDeadline } from './routing';
import { amount, Joi, page, text, uuid } from './schema/types';
import { testApp } from './testing/test-app';

const handled: unknown[] = [];
const anything = { stack: open(), tag: 'Test', summary: 'a route of this test', description: 'x' };

const routes: Route[] = [
  get('/things/:id', { ...anything, handle: async ({ params }) => data({ id: params.id }) }),
  get('/things/search', {
    ...anything,
    query: Joi.object(page({ limitMax: 100, limitDefault: 50 })),
    handle: async ({ query }) => data(query),
  }),
  post('/things', {
    ...anything,
    status: 201,
    body: Joi.object({
      name: text(5, 1).required(),
      amount: amount(),
      tags: Joi.array().items(Joi.object({ id: uuid() })),
    }),
    handle: async ({ body }) => {
      handled.push(body);
      return data(body);
    },
  }),
  get('/broken', { ...anything, handle: () => Promise.reject(new Error('secret detail')) }),
  get('/busy', {
    ...anything,
    handle: () => Promise.reject(platform.rateLimited({ retryAfterSeconds: 9 })),
  }),
  get('/public/loyalty/me', {
    ...anything,
    handle: () =>
      Promise.reject(
        new Refusal({ code: 'INVALID_TOKEN', httpStatus: 401 }, [{ message: 'token required' }]),
      ),
  }),
  get(':ws/webhooks/:id', { ...anything, handle: () => Promise.reject(platform.recordNotFound()) }),
  get('!/root', { ...anything, handle: async () => message('here') }),
];

const api = () => request(testApp(routes));
const id = '018f3c5e-7b1a-7c3d-9e2f-0123456789ab';

/** What becomes of a key, by what its request comes to. */
async function endingsOf(handle: Route['handle']) {
  const endings: string[] = [];
  const attempt = {
    operationId: id,
    fingerprint: 'f',
    earlier: null,
    keep: async () => void endings.push('kept'),
    release: async () => void endings.push('released'),
  };
  const route = post('/things', { ...anything, handle });
  const app = testApp([route], { beginIdempotent: async () => attempt });
  const { body } = await request(app)
    .post('/service-api/things')
    .set('Idempotency-Key', 'k')
    .send({});
  return { body, endings };
}

test.each([
  ['a conflict', 'kept', platform.conflict({ message: 'taken' })],
  ['a 503', 'released', platform.serviceUnavailable()],
  ['a 429', 'released', platform.rateLimited({ retryAfterSeconds: 1 })],
  [
    'a conflict to be asked again',
    'released',
    platform.conflict({ message: 'busy', retryAfterSeconds: 1 }),
  ],
  ['a no to the key itself, by a service that knows it by another body,', 'released', usedKey()],
  ['a fault', 'released', new Error('broken')],
])('under a key, %s is %s', async (_, ending, error) => {
  expect((await endingsOf(() => Promise.reject(error))).endings).toEqual([ending]);
});

test.each([
  ['leaves something to do', 'released', true],
  ['is whole', 'kept', false],
])('under a key, an answer that %s is %s', async (_, ending, isUnfinished) => {
  const recorded = { created: 1, failed: 1 };
  expect(await endingsOf(async () => ({ ...data(recorded), isUnfinished }))).toEqual({
    body: { data: recorded },
    endings: [ending],
  });
});

test('what is called once a raw body has been read is under its key, also in work without a deadline', async () => {
  const attempt = { operationId: id, fingerprint: 'f', earlier: null, keep: async () => {} };
  const route = post('/things', {
    ...anything,
    rawBody: true,
    keyed: true,
    handle: ({ beginKey }) =>
      withoutDeadline(async () => {
        await beginKey('body');
        const { operationId, operationKept, fingerprint, deadlineAt = null } = currentContext();
        return data({ operationId, operationKept, fingerprint, deadlineAt });
      }),
  });
  const app = testApp([route], { beginIdempotent: async () => attempt });
  const { body } = await request(app).post('/service-api/things').set('Idempotency-Key', 'k');
  const known = { operationId: id, operationKept: true, fingerprint: 'f' };
  expect(body.data).toEqual({ ...known, deadlineAt: null });
});

test('however the path of an operation is spelled, it is under the same key', async () => {
  const scopes = new Set<string>();
  const attempt = {
    operationId: id,
    fingerprint: 'f',
    earlier: null,
    keep: async () => {},
    release: async () => {},
  };
  const route = post('/things/:id/pay', { ...anything, handle: async () => message('paid') });
  const app = testApp([route], {
    beginIdempotent: async (scope: string) => {
      scopes.add(scope);
      return attempt;
    },
  });
  for (const path of [
    `/service-api/things/${id}/pay`,
    `/service-api/things/${id.toUpperCase()}/pay`,
    `/service-api/things/${id}/pay/`,
    `/Service-Api/Things/${id}/PAY`,
    `/service-api/things/${id}/p%61y`,
  ]) {
    const { status } = await request(app).post(path).set('Idempotency-Key', 'k').send();
    expect([path, status]).toEqual([path, 200]);
  }
  expect(scopes.size).toBe(1);
});

test('an error has the form of its surface, however the path is spelled', async () => {
  const { body } = await api().get('/Service-Api/Public/Loyalty/ME/');
  expect(body).toEqual({ error: 'token required' });
});

test('an unknown route is 404 ROUTE_NOT_FOUND, a known one with another method 405 with Allow', async () => {
  const unknown = await api().get('/service-api/nothing');
  expect([unknown.status, unknown.body.errors[0].extensions.code]).toEqual([
    404,
    'ROUTE_NOT_FOUND',
  ]);
  const wrong = await api().delete('/service-api/things');
  expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST, OPTIONS']);
});

test('a visitor whose link leads nowhere gets a page in their language, and a program its own answer', async () => {
  const visitor = { accept: 'text/html,application/xhtml+xml', 'accept-language': 'pl' };
  const lost = await api().get('/no-such-page').set(visitor);
  expect([lost.status, lost.type]).toEqual([404, 'text/html']);
  expect(lost.text).toContain('Nic tu nie ma');
  const called = await api().get('/service-api/nothing').set(visitor);
  expect([called.status, called.type]).toEqual([404, 'application/json']);
});

test('a path is found in either case and with a slash at its end', async () => {
  expect((await api().get('/Service-API/things/SEARCH/')).body).toEqual({ data: { limit: 50 } });
});

test('a literal segment keeps its place from a parameter, whatever the method', async () => {
  const { status, headers } = await api().delete('/service-api/things/search');
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('HEAD is answered as GET, without the body', async () => {
  const { status, text, headers } = await api().head('/root');
  expect([status, text, headers['content-type']]).toEqual([
    200,
    undefined,
    'application/json; charset=utf-8',
  ]);
});

test('a path that cannot be read is 400', async () => {
  const { status, body } = await api().get('/service-api/things/%zz');
  expect([status, body.errors[0].extensions.code]).toEqual([400, 'INVALID_PAYLOAD']);
});

test('an id in a body is taken in either case', async () => {
  const body = { name: 'a', tags: [{ id: id.toUpperCase() }] };
  const reply = await api().post('/service-api/things').send(body);
  expect(reply.body.data.tags).toEqual([{ id }]);
});

test('a literal segment wins over a parameter, and a malformed id is 400', async () => {
  expect((await api().get('/service-api/things/search')).body).toEqual({ data: { limit: 50 } });
  expect((await api().get(`/service-api/things/${id.toUpperCase()}`)).body).toEqual({
    data: { id },
  });
  const malformed = await api().get('/service-api/things/42');
  expect(malformed.status).toBe(400);
  expect(malformed.body.errors[0].extensions).toEqual({ code: 'INVALID_PAYLOAD', field: 'id' });
});

test('every problem of a body is named with its path', async () => {
  const { status, body } = await api()
    .post('/service-api/things')
    .send({ amount: '5', tags: [{ id: 'x' }], extra: 1 });
  expect(status).toBe(400);
  const fields = body.errors.map(
    (error: { extensions: { field: string } }) => error.extensions.field,
  );
  expect(fields.sort()).toEqual(['amount', 'extra', 'name', 'tags.0.id']);
});

test.each([
  ['a list', '[]'],
  ['text', '"x"'],
  ['null', 'null'],
  ['broken JSON', '{"name":'],
])('%s is no body: 400', async (_name, body) => {
  const reply = await api()
    .post('/service-api/things')
    .set('Content-Type', 'application/json')
    .send(body);
  expect([reply.status, reply.body.errors[0].extensions.code]).toEqual([400, 'INVALID_PAYLOAD']);
});

test('amounts with more than four places, too large or infinite are refused', async () => {
  for (const raw of ['0.00001', '100000000001', '1e400']) {
    const reply = await api()
      .post('/service-api/things')
      .set('Content-Type', 'application/json')
      .send(`{"name":"a","amount":${raw}}`);
    expect(reply.status).toBe(400);
  }
});

test('what is not sent as JSON is 415, more than 1 MiB is 413, and neither is handled', async () => {
  handled.length = 0;
  const form = await api().post('/service-api/things').type('form').send('name=a');
  expect(form.status).toBe(415);
  const large = await api()
    .post('/service-api/things')
    .send({ name: 'a'.repeat(1_100_000) });
  expect([large.status, large.body.errors[0].extensions.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect(handled).toEqual([]);
});

test('keys that poison prototypes are refused', async () => {
  const reply = await api()
    .post('/service-api/things')
    .set('Content-Type', 'application/json')
    .send('{"name":"a","tags":[{"__proto__":{"x":1}}]}');
  expect(reply.status).toBe(400);
  expect(({} as { x?: number }).x).toBeUndefined();
});

test('a fault is a bare INTERNAL', async () => {
  const { status, text: body } = await api().get('/service-api/broken');
  expect(status).toBe(500);
  expect(body).not.toContain('secret');
});

test('a refusal that passes says when to come back', async () => {
  const { status, headers } = await api().get('/service-api/busy');
  expect([status, headers['retry-after']]).toEqual([429, '9']);
});

test('each surface has its own error body', async () => {
  expect((await api().get('/service-api/public/loyalty/me')).body).toEqual({
    error: 'token required',
  });
  const webhook = await api().get(`/service-api/workspace/${id}/webhooks/${id}`);
  expect([webhook.status, webhook.body.error.code]).toEqual([404, 'not_found']);
});

test('a sane request id comes back, any other is replaced', async () => {
  expect((await api().get('/root').set('X-Request-Id', 'abc-1')).headers['x-request-id']).toBe(
    'abc-1',
  );
  expect((await api().get('/root').set('X-Request-Id', 'a b')).headers['x-request-id']).toMatch(
    /^[0-9a-f-]{36}$/,
  );
  expect((await api().get('/service-api/nothing')).headers['x-request-id']).toMatch(
    /^[0-9a-f-]{36}$/,
  );
});

test('limits that are no number or out of range are refused, never clamped', async () => {
  for (const limit of ['0', '101', 'many', '1.5']) {
    expect((await api().get('/service-api/things/search').query({ limit })).status).toBe(400);
  }
});

test('pages of other origins may call, and read the headers they need', async () => {
  const reply = await api()
    .options('/service-api/things')
    .set('Origin', 'https://shop.example')
    .set('Access-Control-Request-Method', 'POST');
  expect(reply.headers['access-control-allow-origin']).toBe('*');
});

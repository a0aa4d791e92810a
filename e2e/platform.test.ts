import { call } from './support/api';
import { newUser } from './support/factories';

const PAGES = [
  '/health/live',
  '/health/ready',
  '/health/dependencies',
  '/openapi.json',
  '/asyncapi.json',
  '/docs',
  '/docs/swagger',
];

describe.each(PAGES)('%s', (page) => {
  test('is open to anyone and carries the request id', async () => {
    const reply = await call('GET', `!${page}`, { headers: { 'X-Request-Id': 'watcher.1' } });
    expect(reply.status).toBe(200);
    expect(reply.headers.get('x-request-id')).toBe('watcher.1');
  });

  test('takes no other method', async () => {
    const reply = await call('POST', `!${page}`, { body: {} });
    expect(reply.status).toBe(405);
    expect(reply.body.errors[0].extensions.code).toBe('METHOD_NOT_ALLOWED');
    expect(reply.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  });
});

test('the page of the API document brings its icon along', async () => {
  const { text } = await call('GET', '!/docs/swagger');
  expect(text).toMatch(/<link rel="icon" href="data:image\/svg\+xml,/);
});

describe('the request id', () => {
  const idFor = async (given: string) =>
    (await call('GET', '/user/me', { headers: { 'X-Request-Id': given } })).headers.get(
      'x-request-id',
    );

  test('is the caller’s own when it is sane', async () => {
    expect(await idFor('Ab-1._')).toBe('Ab-1._');
    expect(await idFor('a'.repeat(128))).toBe('a'.repeat(128));
  });

  test.each(['two words', 'a'.repeat(129), 'semi;colon'])(
    'is a new one for "%s"',
    async (given) => {
      expect(await idFor(given)).toMatch(/^[0-9a-f-]{36}$/);
    },
  );

  test('stands on preflights and on paths that cannot be read', async () => {
    const preflight = await call('OPTIONS', '/user/me', {
      headers: { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'PATCH' },
    });
    expect(preflight.headers.get('x-request-id')).not.toBeNull();
    const malformed = await call('GET', '/workspace/%zz');
    expect(malformed.status).toBe(400);
    expect(malformed.headers.get('x-request-id')).not.toBeNull();
  });
});

test('an idle connection is kept for longer than load balancers keep theirs', async () => {
  const { headers } = await call('GET', '!/health/live');
  const seconds = Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1]);
  expect(seconds).toBeGreaterThan(60);
});

test('metrics are not to be had from outside', async () => {
  expect((await call('GET', '!/metrics')).status).toBe(404);
});

test('an answer tells what is left of the limit, in the IETF form', async () => {
  const { token } = await newUser();
  const { headers } = await call('GET', '/user/me', { token });
  expect(headers.get('ratelimit')).toMatch(/^"token";r=\d+;t=\d+$/);
  expect(headers.get('ratelimit-policy')).toMatch(/^"token";q=\d+;w=60$/);
});

import { openApiDocument } from '../../services/gateway/src/openapi/document';
import { routes } from '../../services/gateway/src/routes';
import { createRandom } from '../lib/random.mjs';
import { candidatesOfBody } from './entrances.mjs';
import { exampleOf } from './example.mjs';
import { placesOf } from './foreign.mjs';
import { hostileJson } from './hostile.mjs';
import { changed, placesIn, spoil, sweepOf } from './mutate.mjs';
import { operationsOf } from './operations.mjs';
import { complaintAbout } from './oracle.mjs';

const operations = operationsOf(openApiDocument(routes));
const operation = (id: string) => {
  const found = operations.find((each) => each.id === id);
  if (!found) throw new Error(`there is no ${id}`);
  return found;
};
const request = (body: object | undefined, params: Record<string, string> = {}) => ({
  params: { workspaceId: 'w', ...params },
  query: {},
  body,
  headers: {},
});
const answer = (overrides: object) => ({
  status: 200,
  headers: {},
  text: '',
  bytes: Buffer.alloc(0),
  size: 0,
  ms: 5,
  ...overrides,
});
const wire = { method: 'GET', path: '/', headers: {} };

describe('an example', () => {
  test('has what is required, and the fields of the first alternative', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'integer', minimum: 3 }, c: {} },
      required: ['a'],
      anyOf: [{ required: ['b'] }, { required: ['c'] }],
    };
    expect(exampleOf(schema)).toEqual({ a: expect.any(String), b: 3 });
  });

  test('names rows by the ids that it is given', () => {
    const schema = { type: 'array', items: { type: 'string', format: 'uuid' } };
    expect(exampleOf(schema, 'client_ids', (name) => `id of ${name}`)).toEqual(['id of client_id']);
  });
});

describe('spoilt requests', () => {
  const rewards = operation('POST :ws/rewards');
  const base = request({ name: 'Coffee', cost_in_points: 5 });
  const inputs = (seed: number) => {
    const random = createRandom(seed, 'test');
    return Array.from({ length: 300 }, () => spoil(rewards, base, random)).map(
      ({ what, wire: { path, body, chunked } }) => [what, path, String(body), chunked],
    );
  };

  test('are the same for the same seed, and others for another', () => {
    expect(inputs(7)).toEqual(inputs(7));
    expect(inputs(7)).not.toEqual(inputs(8));
  });

  test('leave the request that they are made from as it was', () => {
    inputs(7);
    expect(base.body).toEqual({ name: 'Coffee', cost_in_points: 5 });
  });

  test('can be made for every operation', () => {
    const random = createRandom(7, 'all');
    for (const each of operations)
      for (let count = 0; count < 5; count += 1)
        expect(spoil(each, request(each.body ? {} : undefined), random).wire.method).toBe(
          each.method,
        );
  });

  test('sweep over every text and every list of a form', () => {
    const form = operation('POST :ws/distributions');
    const sweep = sweepOf(form, request({ name: 'Counter' }), createRandom(7, 'sweep'));
    const tried = sweep.map((make) => make(request({ name: 'Counter' })).what);
    expect(tried).toEqual(
      expect.arrayContaining([
        'sweep name: "a\\u0000b"',
        'sweep form_fields_config: [null,null,null]',
        'sweep form_fields_config.0.label: "a\\u0000b"',
      ]),
    );
  });

  test('change one place and keep the others', () => {
    const change = (holder: Record<string, unknown>, name: string) => {
      holder[name] = 1;
    };
    expect(changed({ a: { b: 2, c: 3 } }, ['a', 'b'], change)).toEqual({ a: { b: 1, c: 3 } });
    expect(changed({}, ['list', '0', 'id'], change)).toEqual({ list: [{ id: 1 }] });
    const paths = placesIn({ a: [{ b: 1 }] }, undefined).map(({ path }) => path.join('.'));
    expect(paths).toEqual(['a', 'a.0', 'a.0.b']);
  });

  test('hold numbers that JavaScript cannot write', () => {
    expect(hostileJson({ a: '@@1e400@@' })).toBe('{"a":1e400}');
  });
});

describe('the oracle', () => {
  const complaint = (overrides: object, sent = wire) =>
    complaintAbout('GET /x', sent, answer(overrides));

  test.each([
    ['a fault', { status: 500 }],
    ['an outage that names no time', { status: 503 }],
    ['no answer', { status: 0, failure: 'socket hang up' }],
    ['a slow answer', { ms: 2_100 }],
    ['a large refusal', { status: 400, size: 70_000 }],
    ['a stack trace', { status: 400, text: 'x at check (/app/a.js:1:2)' }],
    ['a path', { status: 400, text: 'ENOENT /work/x/dist/a' }],
    ['an error of the store', { status: 409, text: 'MongoServerError: E11000 duplicate' }],
    ['an error of the language', { status: 400, text: 'TypeError: x is not a function' }],
    ['an address inside', { status: 400, text: 'connect 127.0.0.1:6379' }],
  ])('complains about %s', (_what, overrides) => {
    expect(complaint(overrides)).not.toBeNull();
  });

  test.each([
    ['a refusal', { status: 400, text: '{"errors":[]}' }],
    ['admission control', { status: 503, headers: { 'retry-after': '1' } }],
    ['a large answer that is no error', { status: 200, size: 5_000_000 }],
  ])('takes %s', (_what, overrides) => {
    expect(complaint(overrides)).toBeNull();
  });

  test('does not hold what was sent against the answer', () => {
    const sent = { ...wire, method: 'POST', body: '{"a":"TypeError"}' };
    expect(complaint({ status: 400, text: 'a is TypeError' }, sent)).toBeNull();
  });
});

test('foreign ids go to every place that names a row, in lists and nested, too', () => {
  const where = (id: string) => placesOf(operation(id)).map((place) => place.where);
  expect(where('POST :ws/campaigns')).toEqual(['body segment_id', 'body manual_client_ids']);
  expect(where('PATCH :ws/rewards/{id}')).toEqual(
    expect.arrayContaining(['path id', 'body wallet_type_id', 'body visibility_tiers']),
  );
  const [place] = placesOf(operation('POST :ws/tiers/reorder'));
  expect(place!.put(request({ other: 1 }), 'z').body).toEqual({ other: 1, tier_ids: ['z'] });
});

test('the dearest requests of a stranger fill every field, and stay below what a body may have', () => {
  const found = candidatesOfBody(
    operation('POST !/auth/login'),
    request({ email: 'a', password: 'b' }),
  );
  const names = found.map(([name]) => name);
  expect(names).toEqual(expect.arrayContaining(['many zeros in email', 'many unknown fields']));
});

import { call, gateways, laurelFor } from './support/api';
import { contractOf, createContract } from './support/contract';

const document = {
  paths: {
    '/things/{id}': {
      get: {
        operationId: 'things.get',
        responses: {
          200: {
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          204: {},
          404: { $ref: '#/components/responses/Missing' },
          409: {
            content: {
              'application/json': {
                schema: {
                  allOf: [
                    { $ref: '#/components/schemas/Refused' },
                    {
                      type: 'object',
                      properties: {
                        reason: { type: 'string', 'x-extensible-enum': ['taken', 'given'] },
                      },
                    },
                  ],
                },
              },
            },
          },
        },
      },
    },
    '/things/all': { get: { operationId: 'things.list', responses: { 204: {} } } },
  },
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          more: { type: 'object', additionalProperties: true },
        },
      },
      Refused: {
        type: 'object',
        properties: { message: { type: 'string' }, reason: { type: 'string' } },
      },
    },
    responses: {
      Missing: { content: { 'application/json': { schema: { type: 'object', properties: {} } } } },
    },
  },
};
const ID = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

function answered(
  status: number,
  body?: unknown,
  path = `/things/${ID}`,
  type = 'application/json',
) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const headers = new Headers(
    body === undefined ? {} : { 'content-type': `${type}; charset=utf-8` },
  );
  return createContract(document).deviation({ method: 'GET', path, status, headers, body, text });
}

describe('the contract that every answer of these tests is held to', () => {
  test('takes what the document describes', () => {
    expect(answered(200, { id: ID, more: { any: 1 } })).toBeNull();
    expect(answered(204)).toBeNull();
    expect(answered(404, {})).toBeNull();
    expect(answered(204, undefined, '/things/all')).toBeNull();
  });

  test('finds a reason that the operation does not name, and leaves what is narrowed as it is', () => {
    expect(answered(409, { message: 'no', reason: 'taken' })).toBeNull();
    expect(answered(409, { message: 'no' })).toBeNull();
    expect(answered(409, { message: 'no', reason: 'gone' })).toContain('x-extensible-enum');
    expect(answered(409, { message: 'no', extra: 1 })).toContain('additional properties');
  });

  test('finds a member without a document, a wrong one and a missing one', () => {
    expect(answered(200, { id: ID, extra: 1 })).toContain('additional properties');
    expect(answered(200, { id: 'x' })).toContain('uuid');
    expect(answered(200, {})).toContain("required property 'id'");
  });

  test('finds a status, a body and a media type that the document does not know', () => {
    expect(answered(201, { id: ID })).toContain('201 is no answer of things.get');
    expect(answered(204, { id: ID })).toContain('204 has a body');
    expect(answered(200, { id: ID }, undefined, 'text/html')).toContain('text/html');
    expect(answered(200)).toContain('no body');
  });

  test('is the document of the running platform', async () => {
    const contract = await contractOf(gateways()[0]!);
    const reply = await call('POST', '!/auth/login', {
      body: { email: 'nobody@example.com', password: 'wrong' },
    });
    const answer = {
      method: 'POST',
      path: '/auth/login',
      status: 401,
      headers: reply.headers,
      text: reply.text,
    };
    expect(contract.deviation({ ...answer, body: reply.body })).toBeNull();
    expect(contract.deviation({ ...answer, body: { errors: 'none' } })).toContain('errors');
  });
});

describe('the client that makes what tests need', () => {
  /** What the client asks, and an answer of the platform that says more than its document. */
  function overheard(more: object) {
    const seen: { origin: string; address: string | null }[] = [];
    const before = globalThis.fetch;
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (asked, init) => {
      const { origin, pathname } = new URL(String(asked));
      if (pathname !== '/auth/options') return before(asked, init);
      seen.push({ origin, address: new Headers(init?.headers).get('x-forwarded-for') });
      const answer = await before(asked, init);
      const { data } = (await answer.json()) as { data: object };
      return Response.json({ data: { ...data, ...more } }, answer);
    });
    return seen;
  }
  afterEach(() => jest.restoreAllMocks());

  test('goes to one gateway after the other, each time from somewhere else', async () => {
    const seen = overheard({});
    for (const _ of [...gateways(), ...gateways()]) await laurelFor().auth.listOptions();
    expect(new Set(seen.map(({ origin }) => origin)).size).toBe(gateways().length);
    expect(new Set(seen.map(({ address }) => address)).size).toBe(seen.length);
  });

  test('stays with one gateway where one is meant', async () => {
    const seen = overheard({});
    for (let count = 0; count < 3; count += 1)
      await laurelFor({}, gateways()[0]).auth.listOptions();
    expect(new Set(seen.map(({ origin }) => origin)).size).toBe(1);
  });

  test('takes no answer that the document does not describe', async () => {
    overheard({ surprise: true });
    await expect(laurelFor().auth.listOptions()).rejects.toThrow(
      'GET /auth/options contradicts /openapi.json: 200: body/data must NOT have additional',
    );
  });
});

import { once } from 'node:events';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { Refusal } from '@laurel/errors';
import { createLogger } from '@laurel/lifecycle';
import {
  createRpcClient,
  type Handlers,
  orBeforeUpgrade,
  type RpcClient,
  startRpcServer,
} from './index';

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** A replica of the release before: it is there, and knows nothing of the rpc. */
async function earlierServer(): Promise<number> {
  const server = new Server();
  open.push(() => server.forceShutdown());
  return new Promise((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port),
    ),
  );
}

const newerServer = (handlers: Partial<Handlers<'identity'>>) => serverOf('identity', handlers);

async function serverOf<Name extends 'identity' | 'ledger'>(
  service: Name,
  handlers: Partial<Handlers<Name>>,
): Promise<number> {
  const server = await startRpcServer({
    service,
    handlers: new Proxy(handlers, {
      get: (table, name) => table[name as keyof typeof table] ?? (async () => ({})),
    }) as Handlers<Name>,
    logger: createLogger('test', 'silent'),
    host: '127.0.0.1',
    port: 0,
  });
  open.push(() => server.stop());
  return server.port;
}

const clientOf = (...ports: number[]): RpcClient<'identity'> => clientFor('identity', ports);

function clientFor<Name extends 'identity' | 'ledger'>(service: Name, ports: number[]) {
  const target = `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`;
  const client = createRpcClient(service, { target });
  open.push(() => client.close());
  return client;
}

const brand = { primary_color: '#1F6F54' };

test('while two releases run side by side, a new rpc is answered by the server that knows it, every time', async () => {
  const newer = await newerServer({ GetBrand: async () => brand });
  const client = clientOf(await earlierServer(), newer);
  for (let call = 0; call < 20; call += 1)
    expect(await client.GetBrand({ workspace_id: 'w' })).toEqual(brand);
});

test('until a server knows a new rpc, its callers hear when to try again, and all other rpcs go on', async () => {
  const client = clientOf(await earlierServer());
  for (let call = 0; call < 40; call += 1) {
    const refused = await client.GetBrand({ workspace_id: 'w' }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refusal);
    // Each by its own: as many from an open breaker would say that the service is not available.
    expect(refused).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'identity is being upgraded',
      retryAfterSeconds: 5,
    });
  }
});

test('what stood before a new rpc does in its place until a server knows it, and no other failure is taken for that', async () => {
  const before = () => ({ primary_color: 'as before' });
  const earlier = clientOf(await earlierServer());
  expect(await orBeforeUpgrade(earlier.GetBrand({ workspace_id: 'w' }), before)).toEqual(before());
  const newer = clientOf(await newerServer({ GetBrand: async () => brand }));
  expect(await orBeforeUpgrade(newer.GetBrand({ workspace_id: 'w' }), before)).toEqual(brand);
  const failing = clientOf(
    await newerServer({ GetBrand: () => Promise.reject(new Error('broken')) }),
  );
  const failed = orBeforeUpgrade(failing.GetBrand({ workspace_id: 'w' }), before);
  await expect(failed).rejects.toThrow('identity failed');
});

describe('a stream', () => {
  const asked = { workspace_id: 'w', client_id: 'c' };
  const read = async (ledger: RpcClient<'ledger'>, begin?: { withinMs: number }) => {
    let all = '';
    for await (const { text } of ledger.StreamClientExport(asked, begin)) all += text;
    return all;
  };
  async function* pieces() {
    yield { text: 'a' };
    yield { text: 'b' };
  }

  test('that is new is read from the server that knows it, every time', async () => {
    const newer = await serverOf('ledger', { StreamClientExport: pieces });
    const ledger = clientFor('ledger', [await earlierServer(), newer]);
    for (let call = 0; call < 20; call += 1) expect(await read(ledger)).toBe('ab');
  });

  test('that is new does what stood before it until a server knows it', async () => {
    const ledger = clientFor('ledger', [await earlierServer()]);
    await expect(read(ledger)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'ledger is being upgraded',
    });
    expect(await orBeforeUpgrade(read(ledger), () => 'as before')).toBe('as before');
  });

  test('of a service that is silent ends as that of one that is not available, where it is said by when it must have begun', async () => {
    const released = new AbortController();
    async function* silent() {
      await once(released.signal, 'abort');
      yield { text: 'too late' };
    }
    open.push(() => released.abort());
    const ledger = clientFor('ledger', [await serverOf('ledger', { StreamClientExport: silent })]);
    await expect(read(ledger, { withinMs: 200 })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: 'ledger is not available',
    });
  });

  test('that has begun in time goes on for as long as it takes', async () => {
    const later = AbortSignal.timeout(2_500);
    async function* slow() {
      yield { text: 'a' };
      if (!later.aborted) await once(later, 'abort');
      yield { text: 'b' };
    }
    const ledger = clientFor('ledger', [await serverOf('ledger', { StreamClientExport: slow })]);
    expect(await read(ledger, { withinMs: 2_000 })).toBe('ab');
  });
});

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

async function newerServer(handlers: Partial<Handlers<'identity'>>): Promise<number> {
  const server = await startRpcServer({
    service: 'identity',
    handlers: new Proxy(handlers, {
      get: (table, name) => table[name as keyof typeof table] ?? (async () => ({})),
    }) as Handlers<'identity'>,
    logger: createLogger('test', 'silent'),
    host: '127.0.0.1',
    port: 0,
  });
  open.push(() => server.stop());
  return server.port;
}

function clientOf(...ports: number[]): RpcClient<'identity'> {
  const target = `ipv4:${ports.map((port) => `127.0.0.1:${port}`).join(',')}`;
  const client = createRpcClient('identity', { target });
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

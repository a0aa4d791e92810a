import { Client } from '@grpc/grpc-js';
import { createLogger } from '@laurel/lifecycle';
import { createRpcClient, type Handlers, shareProcess, startRpcServer } from './index';
// All that a caller is promised over the wire holds in one process, too: the same tests run here with the process shared.
import './rpc.test';

shareProcess();

type Table = Partial<Handlers<'identity'>>;

const serve = (table: Table, clock?: Handlers<'clock'>) =>
  startRpcServer({
    ...(clock ? { clock } : {}),
    service: 'identity',
    handlers: new Proxy(table, {
      get: (known, method) => known[method as keyof Table] ?? (async () => ({})),
    }) as Handlers<'identity'>,
    logger: createLogger('test', 'silent'),
    host: '127.0.0.1',
    port: 0,
  });

const user = {
  id: 'u1',
  email: 'ann@example.com',
  first_name: null,
  last_name: 'Lee',
  date_created: '2026-01-01T00:00:00.000Z',
  email_verified: false,
};

test.each(['ipv4:127.0.0.1', 'localhost', '127.0.0.1', 'dns:///localhost'])(
  'a service of the same process is asked without a connection: %s',
  async (host) => {
    const sent = jest.spyOn(Client.prototype, 'makeUnaryRequest');
    const server = await serve({ GetUser: async () => user });
    const client = createRpcClient('identity', { target: `${host}:${server.port}` });
    await expect(client.GetUser({ user_id: 'u1' })).resolves.toEqual(user);
    expect(sent).not.toHaveBeenCalled();
    client.close();
    await server.stop();
  },
);

test('what every service answers for its clock is asked without a connection, too', async () => {
  const sent = jest.spyOn(Client.prototype, 'makeUnaryRequest');
  const moved: string[] = [];
  const server = await serve(
    {},
    {
      async Move({ workspace_id, ahead_ms }) {
        moved.push(`${workspace_id} ${ahead_ms}`);
        return {};
      },
      Look: async () => ({ busy: [], sent: [], queues: [] }),
    },
  );
  const client = createRpcClient('clock', { target: `localhost:${server.port}` });
  await client.Move({ workspace_id: 'w1', ahead_ms: 5, ends_at: '2026-01-01T00:00:00.000Z' });
  expect(moved).toEqual(['w1 5']);
  expect(sent).not.toHaveBeenCalled();
  client.close();
  await server.stop();
});

test('what a service does to its message is not seen by who asked', async () => {
  const server = await serve({
    UpdateUser: async (request) => {
      request.first_name = 'changed';
      return user;
    },
  });
  const client = createRpcClient('identity', { target: `localhost:${server.port}` });
  const request = { user_id: 'u1', first_name: 'Ann', ip: '192.0.2.1' };
  const reply = await client.UpdateUser(request);
  expect(request.first_name).toBe('Ann');
  reply.last_name = 'changed';
  expect(user.last_name).toBe('Lee');
  client.close();
  await server.stop();
});

test('a service that stops finishes what it was asked, and is not asked anything more', async () => {
  let finish = (): void => {};
  const started = new Promise<void>((begun) => {
    finish = begun;
  });
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await serve({
    GetUser: async () => {
      finish();
      await held;
      return user;
    },
  });
  const client = createRpcClient('identity', { target: `localhost:${server.port}` });
  const answer = client.GetUser({ user_id: 'u1' });
  await started;
  let isStopped = false;
  const stopping = server.stop().then(() => {
    isStopped = true;
  });
  await expect(client.UpdateUser({ user_id: 'u1', ip: '192.0.2.1' })).rejects.toMatchObject({
    httpStatus: 503,
  });
  expect(isStopped).toBe(false);
  release();
  await expect(answer).resolves.toEqual(user);
  await stopping;
  client.close();
});

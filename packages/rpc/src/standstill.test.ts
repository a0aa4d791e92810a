import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { createLogger, runInContext, standstills, systemContext } from '@laurel/lifecycle';
import { createRpcClient, type Handlers, startRpcServer } from './index';

/** What a frozen process does: nothing, for longer than a caller waits. */
function standStill(): void {
  for (const end = performance.now() + 4_500; performance.now() < end; );
}

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

test('a call that has waited for a frozen process until its caller gave up is not carried out', async () => {
  standstills();
  const done: string[] = [];
  const handlers = {
    GetUser: async ({ user_id }: { user_id: string }) => {
      done.push(user_id);
      return { id: user_id };
    },
  } as unknown as Handlers<'identity'>;
  const all = new Proxy(handlers, { get: (known) => known.GetUser });
  const logger = createLogger('test', 'silent');
  const server = await startRpcServer({
    service: 'identity',
    handlers: all,
    logger,
    host: '127.0.0.1',
    port: 0,
  });
  opened.push(() => server.stop());
  let isFreezing = false;
  const between = createServer((caller) => {
    const served = connect(server.port, '127.0.0.1');
    served.pipe(caller);
    caller.on('data', (sent) => {
      if (isFreezing) standStill();
      isFreezing = false;
      served.write(sent);
    });
    caller.on('close', () => served.destroy());
  }).listen(0, '127.0.0.1');
  opened.push(() => between.close());
  await once(between, 'listening');
  const { port } = between.address() as AddressInfo;
  const client = createRpcClient('identity', { target: `ipv4:127.0.0.1:${port}` });
  opened.unshift(() => client.close());
  const ask = (user_id: string, withinMs: number) =>
    runInContext(systemContext({ deadlineAt: Date.now() + withinMs }), () =>
      client.GetUser({ user_id }),
    );
  await ask('before', 10_000);
  isFreezing = true;
  await expect(ask('meanwhile', 2_000)).rejects.toMatchObject({ httpStatus: 503 });
  // A process that goes on serves as before.
  await ask('after', 10_000);
  expect(done).toEqual(['before', 'after']);
});

import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import {
  createLogger,
  currentContext,
  runInContext,
  standstills,
  systemContext,
} from '@laurel/lifecycle';
import { createRpcClient, type Handlers, startRpcServer } from './index';

/** What a frozen process does: nothing, for longer than a caller waits. */
function standStill(): void {
  for (const end = performance.now() + 4_500; performance.now() < end; );
}

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** A server, and a client that reaches it through a socket in which a call waits as the process stands still. */
async function frozenServer(answer: (userId: string) => void) {
  standstills();
  const handlers = {
    GetUser: async ({ user_id }: { user_id: string }) => {
      answer(user_id);
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
  const ask = (user_id: string, deadlineAt: number) =>
    runInContext(systemContext({ deadlineAt }), () => client.GetUser({ user_id }));
  const freeze = (): void => {
    isFreezing = true;
  };
  return { ask, freeze };
}

test('a call that has waited for a frozen process until its caller gave up is not carried out', async () => {
  const done: string[] = [];
  const { ask, freeze } = await frozenServer((userId) => done.push(userId));
  await ask('before', Date.now() + 10_000);
  freeze();
  await expect(ask('meanwhile', Date.now() + 2_000)).rejects.toMatchObject({ httpStatus: 503 });
  // A process that goes on serves as before.
  await ask('after', Date.now() + 10_000);
  expect(done).toEqual(['before', 'after']);
});

test('a call that has waited for a frozen process is carried out in what is left of its caller’s time', async () => {
  const deadlines: number[] = [];
  const { ask, freeze } = await frozenServer(() => deadlines.push(currentContext().deadlineAt!));
  await ask('before', Date.now() + 10_000);
  freeze();
  const deadlineAt = Date.now() + 9_000;
  await ask('meanwhile', deadlineAt);
  expect(deadlines).toHaveLength(2);
  expect(deadlines[1]).toBeLessThanOrEqual(deadlineAt);
  expect(deadlines[1]).toBeGreaterThan(Date.now());
});

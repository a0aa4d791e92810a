import { createRequire } from 'node:module';
import net from 'node:net';
import { failWritesOfClosedConnections } from './closed-connections';

const fromMongoose = createRequire(require.resolve('mongoose'));
const { Connection } = fromMongoose('mongodb/lib/cmap/connection');
const { ns, HostAddress } = fromMongoose('mongodb/lib/utils');

/** More than the sockets of both sides hold. */
const LARGE = 'x'.repeat(12_000_000);

/** Closes a connection while a command waits for a receiver that does not read; says how the command ended. */
async function closeWhileWriting(): Promise<string> {
  const server = net.createServer({ pauseOnConnect: true });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  const socket = net.connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  const hostAddress = new HostAddress(`127.0.0.1:${port}`);
  const connection = new Connection(socket, { id: 1, generation: 0, hostAddress });
  const command = { insert: 'things', documents: [{ large: LARGE }] };
  const outcome = connection.command(ns('test.things'), command, {}).then(
    () => 'done',
    (error: Error) => error.name,
  );
  while (socket.listenerCount('drain') === 0) await new Promise(setImmediate);
  connection.destroy();
  await new Promise((resolve) => socket.once('close', resolve));
  for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);
  server.close();
  return Promise.race([outcome, Promise.resolve('still waiting')]);
}

test('a command that waits for a full socket fails when its connection closes', async () => {
  // What the driver does by itself: when this begins to fail, the workaround can go.
  expect(await closeWhileWriting()).toBe('still waiting');
  failWritesOfClosedConnections();
  expect(await closeWhileWriting()).toBe('MongoNetworkError');
});

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { backend } from '@laurel/config';
import { startBackend } from './start';

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listening = (server: Server) =>
  new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

test('while the store keeps a starting service waiting, its health port says live and not ready', async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
  await listening(silent);
  const free = createServer();
  await listening(free);
  const healthPort = portOf(free);
  await new Promise((resolve) => free.close(resolve));

  const starting = startBackend({
    name: 'tiers',
    settings: backend,
    environment: {
      HEALTH_PORT: String(healthPort),
      LOG_LEVEL: 'silent',
      MONGODB_URI: `mongodb://127.0.0.1:${portOf(silent)}/?directConnection=true&serverSelectionTimeoutMS=1500`,
      RABBITMQ_URL: 'amqp://127.0.0.1:1',
      REDIS_URL: 'redis://127.0.0.1:1',
    },
    indexes: [],
    assemble: () => Promise.reject(new Error('the store never answered')),
  });
  const ended = starting.catch((error: unknown) => error);
  const ask = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${healthPort}/health/${path}`);
    return [reply.status, await reply.json()];
  };
  expect(await ask('live')).toEqual([200, { status: 'live' }]);
  expect(await ask('ready')).toEqual([503, { status: 'not ready', reason: 'starting' }]);
  expect(await ask('dependencies')).toEqual([
    503,
    { status: 'not healthy', down: ['mongodb', 'starting'] },
  ]);
  silent.close();
  for (const socket of sockets) socket.destroy();
  expect(await ended).toBeInstanceOf(Error);
});

import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { backend } from '@laurel/config';
import { metrics, newId } from '@laurel/lifecycle';
import { type CollectionIndexes, connectStore, planIndexes } from '@laurel/mongo';
import { createRpcClient, type Handlers } from '@laurel/rpc';
import { testServers, until } from '@laurel/testing';
import { everyIndex } from './indexes';
import { runIndexes } from './indexes-cli';
import { startBackend } from './start';

const declared: CollectionIndexes[] = [
  { collection: 'things', indexes: [{ key: { code: 1 }, name: 'code', unique: true }] },
];

test('a service that only compares builds nothing and does not start without its unique indexes', async () => {
  const { mongodbUri, rabbitmqUrl, redisUrl } = testServers();
  const prefix = `test_${newId().replaceAll('-', '').slice(-20)}_`;
  const environment = {
    MONGODB_URI: mongodbUri,
    RABBITMQ_URL: rabbitmqUrl,
    REDIS_URL: redisUrl,
    MONGODB_DATABASE_PREFIX: prefix,
    INDEXES_AT_START: 'compare',
    LOG_LEVEL: 'silent',
  };
  const assembled = new Error('it would have started');
  const start = () =>
    startBackend({
      name: 'tiers',
      settings: backend,
      environment,
      indexes: declared,
      assemble: () => Promise.reject(assembled),
    }).catch((error: unknown) => error);
  const store = await connectStore({ uri: mongodbUri, database: `${prefix}tiers`, poolSize: 2 });
  try {
    expect(await start()).toMatchObject({ message: 'unique indexes are missing: things.code' });
    expect((await planIndexes(store, declared)).missing).toHaveLength(1);

    const lines: string[] = [];
    const run = (command: string) =>
      runIndexes(command, { service: 'tiers', declared, environment }, (line) => lines.push(line));
    expect(await run('plan')).toBe(1);
    expect(lines[0]).toBe('tiers: would build things.code (unique)');
    expect(await run('apply')).toBe(0);
    expect(await run('plan')).toBe(0);
    expect(lines.at(-1)).toBe('tiers: nothing to do');
    await store.collection('things').createIndex({ later: 1 }, { name: 'later' });
    expect(await run('prune')).toBe(0);
    expect(lines.slice(-2)).toEqual([
      "tiers: stays, of another release or somebody's own: things.later",
      'tiers: nothing to do',
    ]);
    expect((await planIndexes(store, everyIndex(declared))).missing).toEqual([]);
    expect(await start()).toBe(assembled);
  } finally {
    await store.db?.dropDatabase();
    await store.close();
  }
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;
const listening = (server: Server) =>
  new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
async function freePort(): Promise<number> {
  const free = createServer();
  await listening(free);
  const port = portOf(free);
  await new Promise((resolve) => free.close(resolve));
  return port;
}

/** A way to the store on which nothing is answered to who came before it was opened. */
async function closedWay(uri: string) {
  const store = new URL(uri);
  const came: Socket[] = [];
  let isOpen = false;
  const way = createServer((client) => {
    came.push(client.on('error', () => undefined));
    if (!isOpen) return client.resume();
    const server = connect(Number(store.port), store.hostname).on('error', () => client.destroy());
    client.on('close', () => server.destroy());
    return client.pipe(server).pipe(client);
  });
  await listening(way);
  const address = new URL(uri);
  address.host = `127.0.0.1:${portOf(way)}`;
  address.searchParams.set('directConnection', 'true');
  return {
    uri: address.href,
    came,
    open() {
      isOpen = true;
    },
    close() {
      for (const socket of came) socket.destroy();
      way.close();
    },
  };
}

test('while the store keeps a starting service waiting, its health port says live and not ready; when the store comes the service starts', async () => {
  const { mongodbUri, rabbitmqUrl, redisUrl } = testServers();
  const way = await closedWay(mongodbUri);
  const healthPort = await freePort();
  const prefix = `test_${newId().replaceAll('-', '').slice(-20)}_`;
  const assembled = new Error('it would have started');
  const ended = startBackend({
    name: 'tiers',
    settings: backend,
    environment: {
      HEALTH_PORT: String(healthPort),
      LOG_LEVEL: 'silent',
      MONGODB_URI: way.uri,
      MONGODB_DATABASE_PREFIX: prefix,
      RABBITMQ_URL: rabbitmqUrl,
      REDIS_URL: redisUrl,
    },
    indexes: declared,
    assemble: () => Promise.reject(assembled),
  }).catch((error: unknown) => error);
  const ask = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${healthPort}/health/${path}`);
    return [reply.status, await reply.json()];
  };
  try {
    await until(() => way.came.length > 0);
    // Its first connection is given up after ten seconds.
    const givenUp = once(way.came[0]!, 'close');
    const notReady = [503, { status: 'not ready', reason: 'starting' }];
    expect(await ask('live')).toEqual([200, { status: 'live' }]);
    expect(await ask('ready')).toEqual(notReady);
    expect(await ask('dependencies')).toEqual([
      503,
      { status: 'not healthy', down: ['mongodb', 'starting'] },
    ]);
    await givenUp;
    expect(await ask('ready')).toEqual(notReady);
    way.open();
    expect(await ended).toBe(assembled);
  } finally {
    way.close();
    const store = await connectStore({ uri: mongodbUri, database: `${prefix}tiers`, poolSize: 1 });
    await store.db?.dropDatabase();
    await store.close();
  }
});

/** A service on a database of its own, which answers no call before its test is over. */
async function startSilent(environment: Record<string, string> = {}, retiredQueues?: string[]) {
  const { mongodbUri, rabbitmqUrl, redisUrl } = testServers();
  const prefix = `test_${newId().replaceAll('-', '').slice(-20)}_`;
  let begin = (): void => undefined;
  const called = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const handlers = new Proxy({} as Handlers<'tiers'>, {
    get: () => () => {
      begin();
      return new Promise(() => undefined);
    },
  });
  const running = await startBackend({
    name: 'tiers',
    settings: backend,
    environment: {
      LOG_LEVEL: 'silent',
      MONGODB_URI: mongodbUri,
      MONGODB_DATABASE_PREFIX: prefix,
      RABBITMQ_URL: rabbitmqUrl,
      REDIS_URL: redisUrl,
      ...environment,
    },
    indexes: declared,
    retiredQueues,
    assemble: () => ({ handlers }),
  });
  const drop = async () => {
    const store = await connectStore({ uri: mongodbUri, database: `${prefix}tiers`, poolSize: 1 });
    await store.db?.dropDatabase();
    await store.close();
  };
  return { running, called, drop };
}

test('a service that stops cuts off calls after half of the time that it has, so that what else it holds ends in order', async () => {
  const { running, called, drop } = await startSilent({ SHUTDOWN_SECONDS: '1' });
  const client = createRpcClient('tiers', { target: `ipv4:127.0.0.1:${running.rpcPort}` });
  let isCut = false;
  const asked = client.DeleteTier({ workspace_id: newId(), id: newId() }).catch(() => {
    isCut = true;
  });
  try {
    await called;
    await running.stop();
    // Long before the ten seconds that a server waits by itself.
    await until(() => isCut, { withinMs: 5_000 });
  } finally {
    client.close();
    await asked;
    await drop();
  }
});

test('a service looks after the queues that it has given up', async () => {
  const { running, drop } = await startSilent({}, [`test.${newId()}`]);
  try {
    await until(async () =>
      (await metrics.registry.metrics()).includes(
        '{service="tiers",job="delete-retired-queues",outcome="done"} 1',
      ),
    );
  } finally {
    await running.stop();
    await drop();
  }
});

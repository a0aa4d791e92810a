import net from 'node:net';
import { newId } from '@laurel/lifecycle';
import { until } from '@laurel/testing';
import { connectStore, createStoreProbe } from './connection';
import { storeFault } from './errors';
import { ensureIndexes, indexesOf } from './indexes';

/**
 * A way to the store on which replies can get lost, to whatever contains one of some texts: such a connection stays open and
 * silent from then on.
 */
async function openLossyWay(uri: string) {
  const store = new URL(uri);
  let losing: readonly string[] = [];
  const silent = new Map<net.Socket, net.Socket>();
  const open = new Set<net.Socket>();
  const way = net.createServer((client) => {
    const server = net.connect(Number(store.port), store.hostname);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy()).on('close', () => open.delete(one));
    }
    client.on('data', (sent) => {
      if (losing.some((text) => sent.includes(text))) {
        server.unpipe(client);
        silent.set(server, client);
      }
      server.write(sent);
    });
    server.pipe(client);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const address = new URL(uri);
  address.host = `127.0.0.1:${(way.address() as net.AddressInfo).port}`;
  return {
    uri: address.href,
    lose(...texts: string[]) {
      losing = texts;
    },
    isAnySilent: () => silent.size > 0,
    /** What was taken for lost comes after all. */
    deliver() {
      losing = [];
      for (const [server, client] of silent) server.pipe(client);
    },
    close() {
      for (const socket of open) socket.destroy();
      way.close();
    },
  };
}

test('a reply that got lost does not make the store look away for good', async () => {
  const way = await openLossyWay(process.env.MONGODB_URI!);
  const probe = createStoreProbe(way.uri);
  try {
    const answers = () =>
      probe.ping().then(
        () => true,
        () => false,
      );
    await until(answers);
    way.lose('ping');
    await expect(probe.ping()).rejects.toThrow();
    way.lose();
    await until(answers);
  } finally {
    await probe.close();
    way.close();
  }
});

test('a store that was away when it was first asked for is found again', async () => {
  const way = await openLossyWay(process.env.MONGODB_URI!);
  way.lose('');
  const probe = createStoreProbe(way.uri);
  const answers = () =>
    probe.ping().then(
      () => true,
      () => false,
    );
  try {
    expect(await answers()).toBe(false);
    way.lose();
    await until(answers);
  } finally {
    await probe.close();
    way.close();
  }
});

/** Runs a test on a connection by a lossy way, in a database of its own. */
async function onLossyWay(
  work: (on: {
    way: Awaited<ReturnType<typeof openLossyWay>>;
    connection: Awaited<ReturnType<typeof connectStore>>;
  }) => Promise<void>,
): Promise<void> {
  const way = await openLossyWay(process.env.MONGODB_URI!);
  const database = `test_${newId().replaceAll('-', '')}`;
  const settings = { uri: way.uri, database, poolSize: 4, replyMsMax: 1_000 };
  const connection = await connectStore(settings);
  try {
    await work({ way, connection });
    way.lose();
    await connection.db!.dropDatabase();
  } finally {
    await connection.close(true);
    way.close();
  }
}

test('a command whose reply got lost ends, as one whose connection was lost, and the next ones are answered', () =>
  onLossyWay(async ({ way, connection }) => {
    const rows = connection.collection<{ _id: string }>('things');
    const read = () => rows.findOne({ _id: 'row' });
    await rows.insertOne({ _id: 'row' });
    way.lose('things');
    expect(storeFault(await read().catch((error: unknown) => error))).toBe('away');
    way.lose();
    expect(await read()).toEqual({ _id: 'row' });
  }));

test('building an index takes as long as it takes', () =>
  onLossyWay(async ({ way, connection }) => {
    const rows = connection.collection<{ _id: string }>('things');
    await rows.insertOne({ _id: 'row' });
    way.lose('createIndexes', 'begun later');
    const index = { key: { name: 1 }, name: 'by_name' } as const;
    const building = ensureIndexes(connection, [{ collection: 'things', indexes: [index] }]);
    await until(way.isAnySilent);
    // By the time that this one is given up, the other would have been.
    await expect(rows.findOne({ _id: 'begun later' })).rejects.toThrow();
    way.deliver();
    await building;
    expect((await indexesOf(connection, 'things')).map(({ name }) => name)).toContain('by_name');
  }));

import net from 'node:net';
import { until } from '@laurel/testing';
import { createStoreProbe } from './connection';

/** A way to the store on which replies can get lost, to pings or to all: such a connection stays open and silent from then on. */
async function openLossyWay(uri: string) {
  const store = new URL(uri);
  let losing: 'nothing' | 'pings' | 'all' = 'nothing';
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
      if (losing === 'all' || (losing === 'pings' && sent.includes('ping'))) server.unpipe(client);
      server.write(sent);
    });
    server.pipe(client);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const address = new URL(uri);
  address.host = `127.0.0.1:${(way.address() as net.AddressInfo).port}`;
  return {
    uri: address.href,
    lose(what: typeof losing) {
      losing = what;
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
    way.lose('pings');
    await expect(probe.ping()).rejects.toThrow();
    way.lose('nothing');
    await until(answers);
  } finally {
    await probe.close();
    way.close();
  }
});

test('a store that was away when it was first asked for is found again', async () => {
  const way = await openLossyWay(process.env.MONGODB_URI!);
  way.lose('all');
  const probe = createStoreProbe(way.uri);
  const answers = () =>
    probe.ping().then(
      () => true,
      () => false,
    );
  try {
    expect(await answers()).toBe(false);
    way.lose('nothing');
    await until(answers);
  } finally {
    await probe.close();
    way.close();
  }
});

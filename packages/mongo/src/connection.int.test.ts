import net from 'node:net';
import { until } from '@laurel/testing';
import { createStoreProbe } from './connection';

/** A way to the store on which the replies to pings can get lost: such a connection stays open and silent from then on. */
async function openLossyWay(uri: string) {
  const store = new URL(uri);
  let losing = false;
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
      if (losing && sent.includes('ping')) server.unpipe(client);
      server.write(sent);
    });
    server.pipe(client);
  });
  await new Promise<void>((resolve) => way.listen(0, '127.0.0.1', resolve));
  const address = new URL(uri);
  address.host = `127.0.0.1:${(way.address() as net.AddressInfo).port}`;
  return {
    uri: address.href,
    lose(whether: boolean) {
      losing = whether;
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
    await probe.ping();
    way.lose(true);
    await expect(probe.ping()).rejects.toThrow();
    way.lose(false);
    await until(() =>
      probe.ping().then(
        () => true,
        () => false,
      ),
    );
  } finally {
    await probe.close();
    way.close();
  }
});

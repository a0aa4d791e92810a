import type { Server } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { every, type Listener, listen } from '@laurel/lifecycle';

/**
 * A turn of the event loop takes in one new connection of each listener, however many are waiting. While everything is
 * slow a turn may take a tenth of a second, and with one listener the last of 256 visitors who come at once would be heard
 * after half a minute, behind everybody who is connected already.
 */
const LISTENERS = 16;
/** A port that several listeners share: Node 22.12 and later, Linux. */
const CAN_SHARE = process.platform === 'linux' && isAtLeast(22, 12);

export interface Listening {
  port: number;
  /** Takes no new connection, ends idle ones, and lets requests in flight finish. */
  close(): Promise<void>;
}

/** Listens at an address that is free; rejects where it is taken. `port` 0 chooses a free one. */
export async function listenAt(server: Server, port: number, host: string): Promise<Listening> {
  const taken = await listen(createServer(), { port, host });
  const { port: own } = taken.address() as AddressInfo;
  const others = CAN_SHARE ? Array.from({ length: LISTENERS - 1 }, () => listenerFor(server)) : [];
  boundTogether(server);
  // A port that is shared may be shared with anybody: that it was free is asked before.
  await closed(taken);
  const shared = { port: own, host, ...(CAN_SHARE ? { reusePort: true } : {}) };
  await listen(server, shared);
  for (const other of others) await listen(other, shared);
  return {
    port: own,
    async close() {
      const sweep = every('closing', 50, () => server.closeIdleConnections());
      const all = [server, ...others].map(closed);
      server.closeIdleConnections();
      await Promise.all(all);
      sweep.cancel();
    },
  };
}

/** As the listener that an HTTP server is itself; what it takes in is the server's. */
function listenerFor(server: Server): Listener {
  return createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
}

/** A listener counts what it took in itself; the bound of a server is one for all of them. */
function boundTogether(server: Server): void {
  let count = 0;
  server.on('connection', (socket: Socket) => {
    count += 1;
    socket.once('close', () => {
      count -= 1;
    });
    if (count > server.maxConnections) socket.destroy();
  });
}

const closed = (listener: Listener): Promise<void> =>
  new Promise((resolve) => {
    listener.close(() => resolve());
  });

function isAtLeast(major: number, minor: number): boolean {
  const [own = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  return own > major || (own === major && ownMinor >= minor);
}

import type { EventEmitter } from 'node:events';
import { driverFile } from './driver';

interface DriverConnection {
  closed: boolean;
  socket: EventEmitter;
  cleanup(error: Error): void;
}
type ConnectionClass = { prototype: DriverConnection };

/**
 * Lets an operation fail whose connection closes while its command waits for a full socket to drain. The driver
 * (7.8.0, `Connection.writeCommand`) listens for `drain` and `error` only, and destroys the socket without an error:
 * such an operation would never end, and would keep its place in the pool and its caller waiting for ever.
 * Found by `npm run chaos -- --seed 2`. To be called before the first connection.
 */
export function failWritesOfClosedConnections(): void {
  const { prototype } = driverFile<{ Connection: ConnectionClass }>('cmap/connection').Connection;
  const { cleanup } = prototype;
  prototype.cleanup = function (this: DriverConnection, error: Error): void {
    const closes = !this.closed;
    cleanup.call(this, error);
    if (closes && this.socket.listenerCount('drain') > 0) this.socket.emit('error', error);
  };
}

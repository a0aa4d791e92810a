import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** The method, and the ticket that has no meaning any more: without it a frame of sixty bytes looks the same. */
export const PUBLISH = Buffer.from([0, 60, 0, 40, 0, 0]);

const BLOCKED = 60;
const UNBLOCKED = 61;

/** `connection.blocked` as RabbitMQ sends it to who publishes while it has an alarm. */
export function blocked(reason: string): Buffer {
  const text = Buffer.from(reason);
  return frameOf(BLOCKED, Buffer.concat([Buffer.from([text.length]), text]));
}

function frameOf(method: number, content: Buffer): Buffer {
  const payload = Buffer.concat([Buffer.from([0, 10, 0, method]), content]);
  return Buffer.concat([
    Buffer.from([1, 0, 0, 0, 0, 0, payload.length]),
    payload,
    Buffer.from([0xce]),
  ]);
}

/** A TCP link to a server that can be cut and mended: what a broker's death looks like from a service. */
export class CuttableLink {
  private readonly sockets = new Set<Socket>();
  private up = true;
  private answers = true;
  private hasAlarm = false;
  /** Connections of which nothing more is read. */
  private readonly unread = new Set<Socket>();
  private constructor(
    private readonly server: Server,
    /** The server's URL by way of this link. */
    readonly url: string,
  ) {}

  static async to(target: string): Promise<CuttableLink> {
    const { hostname, port } = new URL(target);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const through = new URL(target);
    through.port = String((server.address() as AddressInfo).port);
    const link = new CuttableLink(server, through.toString());
    server.on('connection', (near) => link.join(near, connect(Number(port), hostname)));
    return link;
  }

  /** Ends every connection in mid-word and accepts no other. */
  cut(): void {
    this.up = false;
    for (const socket of this.sockets) socket.destroy();
  }

  mend(): void {
    this.up = true;
    this.answers = true;
  }

  /** From here on what is asked arrives, and what is answered does not. */
  loseReplies(): void {
    this.answers = false;
  }

  /** From here on it does as RabbitMQ with an alarm: a connection that publishes hears of it, and nothing more of it is read. */
  alarm(): void {
    this.hasAlarm = true;
  }

  endAlarm(): void {
    this.hasAlarm = false;
    for (const near of this.unread) {
      near.write(frameOf(UNBLOCKED, Buffer.alloc(0)));
      near.resume();
    }
    this.unread.clear();
  }

  async close(): Promise<void> {
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(near: Socket, far: Socket): void {
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.sockets.delete(from);
        to.destroy();
      });
      from.on('end', () => to.end());
      from.on('data', (bytes) => {
        if (to === far || this.answers) to.write(bytes);
        if (to === far && this.hasAlarm && bytes.includes(PUBLISH)) this.block(near);
      });
    }
    if (!this.up) near.destroy();
  }

  private block(near: Socket): void {
    near.pause();
    near.write(blocked('low on memory'));
    this.unread.add(near);
  }
}

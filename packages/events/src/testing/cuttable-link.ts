import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A TCP link to a server that can be cut and mended: what a broker's death looks like from a service. */
export class CuttableLink {
  private readonly sockets = new Set<Socket>();
  private up = true;
  private answers = true;
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
      });
    }
    if (!this.up) near.destroy();
  }
}

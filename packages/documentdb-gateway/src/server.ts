import net from 'node:net';
import type { Delay } from './commands/delays';
import type { Caller, Dispatcher } from './commands/dispatcher';
import { toCommandError } from './errors/command-error';
import { parseCommand } from './wire/command';
import { encodeReply, MessageSplitter, parseRequest, type Request } from './wire/message';

/** A well-behaved driver has one command in flight on a connection; more than this waits in the socket. */
const MAX_QUEUED_MESSAGES = 16;

/** Whom the connections of clients ask and report to. */
interface Surroundings {
  dispatcher: Dispatcher;
  delay: Delay;
  onClose(client: Caller): void;
  onFault(error: unknown): void;
}

/** One client connection: reads requests, answers them in order. */
export class ClientConnection implements Caller {
  onGone: (() => void) | null = null;
  private readonly splitter = new MessageSplitter();
  private readonly queue: Buffer[] = [];
  private replyId = 0;
  private draining = false;
  /** Resolves when nothing is in progress. */
  idle: Promise<void> = Promise.resolve();

  constructor(
    readonly id: number,
    private readonly socket: net.Socket,
    private readonly around: Surroundings,
  ) {
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.receive(chunk));
    socket.on('error', () => {}); // 'close' follows
    socket.on('close', () => {
      this.queue.length = 0;
      this.onGone?.();
      around.onClose(this);
    });
  }

  /** Ends the connection after the command in progress. */
  async end(): Promise<void> {
    this.queue.length = 0;
    await this.idle;
    this.socket.end();
  }

  /** Ends the connection now. */
  destroy(): void {
    this.socket.destroy();
  }

  private receive(chunk: Buffer): void {
    try {
      this.queue.push(...this.splitter.push(chunk));
    } catch (error) {
      this.fault(error);
      return;
    }
    if (this.queue.length > MAX_QUEUED_MESSAGES) this.socket.pause();
    if (!this.draining) this.idle = this.drain();
  }

  private async drain(): Promise<void> {
    this.draining = true;
    try {
      for (let message = this.queue.shift(); message; message = this.queue.shift()) {
        await this.answer(parseRequest(message));
        if (this.queue.length === 0) this.socket.resume();
      }
    } catch (error) {
      this.fault(error);
    } finally {
      this.draining = false;
    }
  }

  private async answer(request: Request): Promise<void> {
    await this.around.delay();
    const document = await this.reply(request);
    await this.around.delay();
    if (request.moreToCome || this.socket.destroyed) return;
    const flushed = this.socket.write(encodeReply(request, document, ++this.replyId));
    if (!flushed) await this.drained();
  }

  private reply(request: Request): Promise<Uint8Array> | Uint8Array {
    try {
      return this.around.dispatcher.dispatch(parseCommand(request), this);
    } catch (error) {
      return toCommandError(error, false).toReply();
    }
  }

  /** A slow reader holds up its own connection only. */
  private drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.socket.off('drain', done).off('close', done);
        resolve();
      };
      this.socket.on('drain', done).on('close', done);
    });
  }

  private fault(error: unknown): void {
    this.around.onFault(error);
    this.socket.destroy();
  }
}

/** Listens on the loopback interface; there is no authentication. */
export function listen(
  port: number,
  maxClients: number,
  onConnection: (socket: net.Socket) => void,
): Promise<net.Server> {
  return new Promise((resolve, reject) => {
    const server = net.createServer(onConnection);
    server.maxConnections = maxClients;
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', backlog: 511 }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

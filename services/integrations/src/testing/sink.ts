import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: Record<string, string>;
  body: string;
  at: number;
}

export type Behaviour = (
  received: Received,
  response: ServerResponse,
  count: number,
) => void | Promise<void>;

/** A receiver of webhooks that remembers what it got and behaves as a test wants. */
export class Sink {
  readonly received: Received[] = [];
  inFlight = 0;
  inFlightMost = 0;
  behave: Behaviour = (_, response) => void response.writeHead(200).end();
  private constructor(private readonly server: Server) {}

  static async open(behave?: Behaviour): Promise<Sink> {
    const server = createServer();
    const sink = new Sink(server);
    if (behave) sink.behave = behave;
    server.on('request', (request, response) => void sink.receive(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return sink;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  /** Data of what was received, in order of arrival. */
  get data(): { [key: string]: unknown }[] {
    return this.received.map(({ body }) => (JSON.parse(body) as { data: object }).data as never);
  }

  get ids(): string[] {
    return this.received.map(({ headers }) => headers['webhook-id']!);
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    this.inFlight += 1;
    this.inFlightMost = Math.max(this.inFlightMost, this.inFlight);
    response.on('close', () => {
      this.inFlight -= 1;
    });
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const received = {
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(chunks).toString('utf8'),
      at: Date.now(),
    };
    this.received.push(received);
    await this.behave(received, response, this.received.length);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}

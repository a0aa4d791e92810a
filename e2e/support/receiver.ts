import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;

/** A webhook receiver that checks every signature and keeps count of what arrives. */
export async function openReceiver() {
  let verifier: Webhook | undefined;
  let unsigned = 0;
  const copies: string[] = [];
  const typeOf = new Map<string, string>();
  let latest: { headers: IncomingHttpHeaders; body: string } | undefined;

  function receive(headers: IncomingHttpHeaders, text: string): void {
    const id = String(headers['webhook-id']);
    try {
      verifier!.verify(text, headers as Record<string, string>);
    } catch {
      unsigned += 1;
      return;
    }
    const { type } = JSON.parse(text);
    if (typeOf.has(id)) copies.push(`${type} ${id}`);
    typeOf.set(id, type);
    latest = { headers, body: text };
  }

  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', () => {
      receive(request.headers, text);
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    trust: (secret: string) => {
      verifier = new Webhook(secret);
    },
    /** Deliveries, without repeats. */
    total: () => typeOf.size,
    byType: () => {
      const counts: Record<string, number> = {};
      for (const type of typeOf.values()) counts[type] = (counts[type] ?? 0) + 1;
      return counts;
    },
    /** The last delivery, as it came. */
    latest: () => latest,
    /** What arrived more than once. */
    copies: () => copies,
    unsigned: () => unsigned,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gateways } from './api';

/**
 * The platform at another address, which hands on what is asked and answered. `look` is awaited between the two: what it
 * does happens after the platform has answered, and before the program hears it.
 */
export async function openPlatformBetween(
  look: (path: string) => Promise<void>,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const answer = await fetch(`${gateways()[0]}${request.url}`, {
      method: request.method!,
      headers: { ...sentOn(request.headers), Authorization: authorization, 'Content-Type': type },
      ...(pieces.length > 0 ? { body: Buffer.concat(pieces) } : {}),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    await look(new URL(request.url!, 'http://between').pathname);
    const etag = answer.headers.get('etag');
    response.writeHead(answer.status, {
      'Content-Type': answer.headers.get('content-type') ?? 'application/json',
      ...(etag === null ? {} : { ETag: etag }),
    });
    response.end(body);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => new Promise((closed) => server.close(() => closed())),
  };
}

/** What conditions and repeats go by. */
function sentOn(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const names = ['if-match', 'idempotency-key', 'prefer'];
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  );
}

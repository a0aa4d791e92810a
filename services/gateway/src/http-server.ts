import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { every } from '@laurel/lifecycle';
import { hasBody } from './middleware/body';

/**
 * Longer than load balancers in front keep a connection idle (60 s as a rule): who ends one first must be the side that
 * sends the next request, or that request is lost.
 */
const KEEP_ALIVE_MS = 65_000;
const HEADERS_MS_MAX = 15_000;
/** What a request may take to come, and how much longer for each byte of it: the largest upload at half a megabit a second. */
const BODY_MS_MAX = 60_000;
const BODY_BYTES_PER_MS_MIN = 64;
/** More than that comes to for 50 MiB. */
const REQUEST_MS_MAX = 900_000;
/** How late a connection that sends too slowly may be found; Node's own 30 s are twice what headers may take. */
const SWEEP_MS = 1_000;
/** An answer that is not taken on for so long is taken on no more. */
const STALLED_MS_MAX = 60_000;

/** The server of the public API, bounded in how many hold on to it, and for how long with nothing to say. */
export function createHttpServer(
  answer: RequestListener,
  connectionsMax: number,
  { headersMsMax = HEADERS_MS_MAX, stalledMsMax = STALLED_MS_MAX, bodyMsMax = BODY_MS_MAX } = {},
): Server {
  const server = createServer(
    {
      connectionsCheckingInterval: Math.min(SWEEP_MS, headersMsMax),
      headersTimeout: headersMsMax,
      requestTimeout: REQUEST_MS_MAX,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    answer,
  );
  server.maxConnections = connectionsMax;
  server.timeout = stalledMsMax;
  endSilent(server);
  endSlow(server, bodyMsMax);
  return server;
}

/**
 * Ends connections that have been silent for their time, but for those whose request is still at work: they have nothing to
 * read yet. An answer stands in memory until it is read, however large, and a reader who takes none of it would keep it there.
 */
function endSilent(server: Server): void {
  const atWork = new WeakMap<Socket, number>();
  const count = (socket: Socket, by: number) => atWork.set(socket, (atWork.get(socket) ?? 0) + by);
  server.on('request', ({ socket }, response) => {
    count(socket, 1);
    response.once('close', () => count(socket, -1));
  });
  server.on('timeout', (socket: Socket) => {
    if (!atWork.get(socket) || socket.writableLength > 0) socket.destroy();
  });
}

/**
 * Ends requests that come too slowly. Who drips a body holds a connection, and what came of it; a large file over a slow line
 * comes as fast as it can, and has longer for what has come already.
 */
function endSlow(server: Server, bodyMsMax: number): void {
  const coming = new Set<() => void>();
  const sweep = every('slow bodies', SWEEP_MS, () => {
    for (const endIfSlow of coming) endIfSlow();
  });
  server.once('close', () => sweep.cancel());
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const { socket } = request;
    const [startedAt, readBefore] = [performance.now(), socket.bytesRead];
    const endIfSlow = () => {
      const earnedMs = (socket.bytesRead - readBefore) / BODY_BYTES_PER_MS_MIN;
      if (performance.now() - startedAt > bodyMsMax + earnedMs) hangUp(socket, response);
    };
    coming.add(endIfSlow);
    const forget = () => coming.delete(endIfSlow);
    request.once('end', forget);
    response.once('close', forget);
  });
}

function hangUp(socket: Socket, response: ServerResponse): void {
  if (!response.headersSent)
    socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  socket.destroySoon();
}

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { platform } from '@laurel/errors';
import { every, newId } from '@laurel/lifecycle';
import { hasBody } from './middleware/body';
import { refusalAnswer } from './middleware/errors';
import { idFor } from './middleware/request-id';

/**
 * Longer than load balancers in front keep a connection idle (60 s as a rule): who ends one first must be the side that
 * sends the next request, or that request is lost.
 */
const KEEP_ALIVE_MS = 65_000;
/** How much longer a connection is kept than its answers say: who goes by them may be late, and the next request on its way. */
const KEEP_ALIVE_SLACK_MS = 10_000;
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

/** What is said of a request that never came to a route, by status. */
const UNREAD = {
  400: 'the request cannot be read',
  408: 'the request took too long to arrive',
  413: 'the extensions of the chunks are too long',
  417: 'what the request expects is not known here',
  431: 'the headers are too long',
} as const;
const STATUS_OF: Readonly<Record<string, keyof typeof UNREAD>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

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
      // The runtime would refuse what has none by a bare status.
      requireHostHeader: false,
    },
    (request, response) => (lacksHost(request) ? refuse(response, 400) : answer(request, response)),
  );
  server.on('checkExpectation', (_request, response) => refuse(response, 417));
  // Node 20, which builds this, does not know it.
  Object.assign(server, { keepAliveTimeoutBuffer: KEEP_ALIVE_SLACK_MS });
  server.maxConnections = connectionsMax;
  server.timeout = stalledMsMax;
  answerUnread(server);
  endSilent(server);
  endSlow(server, bodyMsMax);
  return server;
}

/** Answers what cannot be read as a request in the words of all other errors; the runtime would say a bare status. */
function answerUnread(server: Server): void {
  // Several of a connection where its requests come without waiting for answers.
  const answering = new WeakMap<object, Set<ServerResponse>>();
  server.on('request', ({ socket }, response) => {
    const ofSocket = answering.get(socket) ?? new Set();
    answering.set(socket, ofSocket.add(response));
    response.once('close', () => ofSocket.delete(response));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, duplex) => {
    const socket = duplex as Socket;
    // Into an answer that has begun nothing else may be written.
    const isFree = ![...(answering.get(socket) ?? [])].some(isUnderWay);
    if (socket.writable && isFree) refuseUnread(socket, STATUS_OF[error.code ?? ''] ?? 400);
    socket.destroySoon();
  });
}

const isUnderWay = ({ headersSent, writableFinished }: ServerResponse): boolean =>
  headersSent && !writableFinished;

/** RFC 9112, section 3.2: what is refused by 400. */
const lacksHost = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined;

function refuse(response: ServerResponse, status: keyof typeof UNREAD): void {
  const { headers, body } = unreadAnswer(status, response);
  response.writeHead(status, headers).end(body);
}

function refuseUnread(
  socket: Socket,
  status: keyof typeof UNREAD,
  response?: ServerResponse,
): void {
  const { headers, body } = unreadAnswer(status, response);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** @param response whose request says by which id and on which surface it is answered; there is none before its headers are read */
function unreadAnswer(status: keyof typeof UNREAD, response?: ServerResponse) {
  const refusalOf = status === 413 ? platform.payloadTooLarge : platform.invalidPayload;
  const [path = '/'] = response?.req.url?.split('?') ?? [];
  const { body } = refusalAnswer(refusalOf({ message: UNREAD[status] }), path);
  const named = response && (response.getHeader('X-Request-Id') ?? idFor(response.req));
  const text = JSON.stringify(body);
  const headers = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'X-Request-Id': String(named ?? newId()),
  };
  return { headers, body: text };
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
  // It has the connection in its turn only, behind the answers to what came before its request.
  const isItsTurn = response.socket === socket;
  if (isItsTurn && !response.headersSent) refuseUnread(socket, 408, response);
  socket.destroySoon();
}

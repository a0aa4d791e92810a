// Servers of a tool's own, on whatever port of this machine is free.
import { createServer } from 'node:http';

/**
 * @param {import('node:net').Server} server
 * @returns {Promise<number>} the port that it listens on
 */
export async function listenLocally(server) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  return /** @type {import('node:net').AddressInfo} */ (server.address()).port;
}

/**
 * @param {import('node:http').RequestListener} answer
 * @returns {Promise<{ url: string, close: () => void }>} `url` has no path; `close` ends what is under way too
 */
export async function serveLocally(answer) {
  const server = createServer(answer);
  const port = await listenLocally(server);
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/**
 * Answers once all of a request is there.
 *
 * @param {(request: import('node:http').IncomingMessage, body: string, response: import('node:http').ServerResponse) => unknown} answer
 */
export const serveWhole = (answer) =>
  serveLocally((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => answer(request, body, response));
  });

/**
 * Answers with a status alone, once all of a request is there.
 *
 * @param {(request: import('node:http').IncomingMessage, body: string) => number | Promise<number>} receive
 */
export const serveStatuses = (receive) =>
  serveWhole(async (request, body, response) =>
    response.writeHead(await receive(request, body)).end(),
  );

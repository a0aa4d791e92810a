// The systems outside that webhooks and integrations call: whatever it is, it went well, and there is nothing to fetch.
import { createServer } from 'node:http';

const NOTHING = JSON.stringify({ data: [], total: 0, next_cursor: null });

/** @returns {Promise<{ url: string, close: () => void }>} */
export async function openSink() {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(NOTHING);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

// The systems outside that webhooks and integrations call: whatever it is, it went well, and there is nothing to fetch.
import { serveLocally } from '../lib/listen.mjs';

const NOTHING = JSON.stringify({ data: [], total: 0, next_cursor: null });

/** @returns {Promise<{ url: string, close: () => void }>} */
export async function openSink() {
  const { url, close } = await serveLocally((request, response) => {
    request.resume();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(NOTHING);
  });
  return { url: `${url}/`, close };
}

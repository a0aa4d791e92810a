import type { integrations } from '@laurel/rpc';
import type { RpcClients } from '../../rpc-clients';

/** An answer with nothing to tell is the heartbeat: so often there is something on the line. */
const WAIT_MS = 5_000;
/** How soon a reader who lost the line comes back. */
const RETRY_MS = 1_000;

/** What happens from a page on, as server-sent events, for as long as somebody reads. */
export async function* framesFrom(
  rpc: Pick<RpcClients, 'integrations'>,
  request: Omit<integrations.ReadFeedRequest, 'cursor' | 'wait_ms'>,
  first: integrations.FeedPage,
): AsyncIterable<string> {
  yield `retry: ${RETRY_MS}\n${framesOf(first)}`;
  for (let page = first; ; yield framesOf(page))
    page = await rpc.integrations.ReadFeed({ ...request, cursor: page.cursor, wait_ms: WAIT_MS });
}

/** Events, each with the cursor behind it, then the cursor of the page: an id without data moves the reader only. */
function framesOf({ events, cursor }: integrations.FeedPage): string {
  const told = events.map(({ cursor: id, body }) => `id: ${id}\ndata: ${body}\n\n`);
  return `${told.join('')}id: ${cursor}\n\n`;
}

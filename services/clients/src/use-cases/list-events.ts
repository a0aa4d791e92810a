import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toEventReply } from './event-reply';

/** Events of a workspace, newest first. */
export async function listEvents(
  { clients, events }: Pick<Deps, 'clients' | 'events'>,
  request: api.ListEventsRequest,
): Promise<api.EventPage> {
  const { workspace_id: workspaceId, client_id: clientId, limit, offset, cursor } = request;
  if (request.known_client) {
    const client = await clients.find(workspaceId, clientId ?? '');
    if (!client) throw refusals.clientNotFound();
  }
  const filter = {
    clientId,
    passId: request.pass_id,
    category: request.event_category,
    eventType: request.event_type,
    source: request.source,
    from: request.from_date === undefined ? undefined : new Date(request.from_date),
    to: request.to_date === undefined ? undefined : new Date(request.to_date),
  };
  const page = await events.list(workspaceId, filter, { limit, offset, cursor });
  return {
    events: page.events.map(toEventReply),
    total: page.total,
    next_cursor: page.nextCursor,
  };
}

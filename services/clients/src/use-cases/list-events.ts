import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { lookUpPasses } from './look-up-passes';
import { toEventReply } from './wire';

type Stores = Pick<Deps, 'clients' | 'events' | 'passes' | 'passKeeper'>;

/** Events of a workspace, newest first. */
export async function listEvents(
  deps: Stores,
  request: api.ListEventsRequest,
): Promise<api.EventPage> {
  const { clients, events } = deps;
  const { workspace_id: workspaceId, client_id: clientId, limit, offset, cursor } = request;
  if (request.known_client) {
    const client = await clients.find(workspaceId, clientId ?? '');
    if (!client) throw refusals.clientNotFound();
  }
  const filter = {
    clientId,
    passId: request.pass_id,
    withinPassIds: request.within_pass_ids,
    category: request.event_category,
    eventType: request.event_type,
    source: request.source,
    from: request.from_date === undefined ? undefined : new Date(request.from_date),
    to: request.to_date === undefined ? undefined : new Date(request.to_date),
  };
  const page = await events.list(workspaceId, filter, { limit, offset, cursor });
  if (page.total === 0) await requireKnown(deps, request);
  return {
    events: page.events.map(toEventReply),
    total: page.total,
    next_cursor: page.nextCursor,
  };
}

/** The events of deleted clients and passes stay; an id that never had any must at least name something. */
async function requireKnown(
  deps: Stores,
  { workspace_id: workspaceId, client_id: clientId, pass_id: passId }: api.ListEventsRequest,
): Promise<void> {
  const { clients, events } = deps;
  const hasTrail = async (whose: { clientId: string } | { passId: string }) =>
    (await events.list(workspaceId, whose, { limit: 1, offset: 0 })).total > 0;
  if (clientId !== undefined && !(await clients.find(workspaceId, clientId)))
    if (!(await hasTrail({ clientId }))) throw refusals.unknownClient({ field: 'client_id' });
  if (passId === undefined) return;
  const [pass] = await lookUpPasses(deps, [passId]);
  if (pass?.workspaceId !== workspaceId && !(await hasTrail({ passId })))
    throw refusals.unknownPass({ field: 'pass_id' });
}

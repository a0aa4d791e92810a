import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toEventReply } from './wire';

export async function getEvent(
  { events }: Pick<Deps, 'events'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Event> {
  const event = await events.find(workspaceId, id);
  if (!event) throw refusals.eventNotFound();
  return toEventReply(event);
}

/** The workspace that an event belongs to, for callers that know only the event. */
export async function locateEvent(
  { events }: Pick<Deps, 'events'>,
  { id }: api.EventRequest,
): Promise<api.EventLocation> {
  const workspaceId = await events.workspaceOf(id);
  if (workspaceId === null) throw refusals.eventNotFound();
  return { workspace_id: workspaceId };
}

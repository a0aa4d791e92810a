import { erasureOf } from '@laurel/backend';
import type { EventOf } from '@laurel/events';
import { erasePerson, mergePerson, removeWorkspace } from '@laurel/mongo';
import type { Departing } from './catch-up';

export const DEPARTURES = [
  'identity.workspace_deleted',
  'clients.merged',
  'clients.anonymized',
  'clients.deleted',
] as const;

/**
 * Follows a client or a workspace that goes, as the collections declare. In no transaction: there may be very much of one
 * client, and moving or erasing it again changes nothing.
 */
export async function followDeparture(
  deps: Departing,
  event: EventOf<(typeof DEPARTURES)[number]>,
): Promise<void> {
  if (event.type === 'identity.workspace_deleted') return removeWorkspace(deps, event.workspaceid);
  if (event.type === 'clients.merged') return merge(deps, event);
  const erasure = erasureOf(event);
  await deps.departures.noteErasure(erasure);
  await erasePerson(deps, erasure);
}

async function merge(
  deps: Departing,
  { workspaceid: workspaceId, data }: EventOf<'clients.merged'>,
): Promise<void> {
  const { source_client_id: source, target_client_id: target } = data;
  const merged = { workspaceId, source, target };
  await deps.departures.noteMerge(merged);
  await mergePerson(deps, merged);
  // Its own merge or erasure may have been heard of first.
  await deps.departures.catchUp(deps, { workspaceId, clientId: target });
}

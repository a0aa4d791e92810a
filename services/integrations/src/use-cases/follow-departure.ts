import type { ClientsMerged, CloudEvent } from '@laurel/events';
import { erasePerson, mergePerson, removeWorkspace } from '@laurel/mongo';
import type { Departing } from './catch-up';

/**
 * Follows a client or a workspace that goes, as the collections declare. In no transaction: there may be very much of one
 * client, and moving or erasing it again changes nothing.
 */
export async function followDeparture(deps: Departing, event: CloudEvent): Promise<void> {
  const { type, workspaceid: workspaceId, data } = event;
  if (workspaceId === undefined) return;
  if (type === 'identity.workspace_deleted') return removeWorkspace(deps, workspaceId);
  if (type === 'clients.merged') return merge(deps, workspaceId, data as ClientsMerged);
  const { client_id: clientId } = data as { client_id: string };
  const ending = type === 'clients.deleted' ? 'deleted' : 'anonymized';
  const erasure = { workspaceId, clientId, ending } as const;
  await deps.departures.noteErasure(erasure);
  await erasePerson(deps, erasure);
}

async function merge(
  deps: Departing,
  workspaceId: string,
  { source_client_id: source, target_client_id: target }: ClientsMerged,
): Promise<void> {
  const merged = { workspaceId, source, target };
  await deps.departures.noteMerge(merged);
  await mergePerson(deps, merged);
  // Its own merge or erasure may have been heard of first.
  await deps.departures.catchUp(deps, { workspaceId, clientId: target });
}

import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { withStatus } from '../domain/segments/criteria';
import { refusals } from '../refusals';
import { toSnapshot } from '../store/mapping';
import { type CriteriaDeps, readCriteria } from './read-criteria';
import { isMerging } from './run-process';

/** A page of the clients who are in a segment now, newest first. */
export async function listSegmentClients(
  deps: CriteriaDeps & Pick<Deps, 'profiles' | 'clients' | 'processes'>,
  { workspace_id: workspaceId, id, limit, cursor, status }: api.ListSegmentClientsRequest,
): Promise<api.SegmentClients> {
  // Asked before who is in it: a merge that is done by now is seen.
  const merging = cursor === undefined && (await isMerging(deps, workspaceId));
  const criterion = (await readCriteria(deps, workspaceId, [id])).get(id);
  if (!criterion) throw refusals.segmentNotFound();
  const wanted = withStatus(criterion, status);
  const page = { limit, offset: 0, cursor };
  const { clientIds, nextCursor } = await deps.profiles.list(workspaceId, wanted, page);
  const found = await deps.clients.findMany(workspaceId, clientIds);
  const byId = new Map(found.map((client) => [client.id, client]));
  const clients = clientIds
    .map((clientId) => byId.get(clientId))
    .filter((one) => one !== undefined);
  const shown = { clients: clients.map(toSnapshot), next_cursor: nextCursor };
  return merging ? { ...shown, merging } : shown;
}

import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toSnapshot } from '../store/mapping';

/** Clients by id, in no particular order; unknown ones are left out. */
export async function getClients(
  { clients }: Pick<Deps, 'clients'>,
  { workspace_id: workspaceId, ids }: api.ClientIds,
): Promise<api.ClientList> {
  const found = await clients.findMany(workspaceId, ids);
  return {
    clients: found.map(toSnapshot),
    revisions: { of_clients: found.map(({ revision }) => revision) },
  };
}

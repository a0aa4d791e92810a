import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toSnapshot } from '../store/mapping';

/** The newest clients whose names, address or phone contain the text. */
export async function searchClients(
  { clients }: Pick<Deps, 'clients'>,
  { workspace_id: workspaceId, q, limit }: api.SearchClientsRequest,
): Promise<api.ClientList> {
  return { clients: (await clients.search(workspaceId, q, limit)).map(toSnapshot) };
}

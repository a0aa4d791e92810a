import type { clients as clientsApi } from '@laurel/rpc';
import type { Deps } from '../deps';
import { inBatches } from './batches';

/** The clients with these ids in the order of the ids, batch by batch; unknown ones are left out. */
export async function* clientsById(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  ids: readonly string[],
): AsyncIterable<clientsApi.Client[]> {
  for (const batch of inBatches(ids)) {
    const found = await clients.GetClients({ workspace_id: workspaceId, ids: batch });
    const byId = new Map(found.clients.map((client) => [client.id, client]));
    yield batch.flatMap((id) => byId.get(id) ?? []);
  }
}

/** Campaign audiences require status active (part 1, Client status). */
export function isActive({ status }: clientsApi.Client): boolean {
  return status === 'active';
}

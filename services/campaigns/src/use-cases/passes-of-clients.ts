import type { passes as passesApi } from '@laurel/rpc';
import type { Deps } from '../deps';
import { inBatches } from './batches';

/** The passes of clients, by client; who has none is left out. */
export async function passesOfClients(
  { passes }: Pick<Deps, 'passes'>,
  workspaceId: string,
  clientIds: readonly string[],
): Promise<Map<string, passesApi.Pass[]>> {
  const byClient = new Map<string, passesApi.Pass[]>();
  for (const client_ids of inBatches(clientIds)) {
    const found = await passes.ListPassesOfClients({ workspace_id: workspaceId, client_ids });
    for (const pass of found.passes) {
      const holder = pass.client_id ?? '';
      byClient.set(holder, [...(byClient.get(holder) ?? []), pass]);
    }
  }
  return byClient;
}

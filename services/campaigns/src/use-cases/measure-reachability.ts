import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { requireClients } from './check-audience';
import { clientsById, isActive } from './manual-clients';
import { passesOfClients } from './passes-of-clients';

/** How many of the clients a push could reach: the active ones that have a pass. */
export async function measureReachability(
  deps: Pick<Deps, 'clients' | 'passes'>,
  { workspace_id: workspaceId, client_ids }: api.MeasureReachabilityRequest,
): Promise<api.Reachability> {
  await requireClients(deps, workspaceId, { clientIds: client_ids, field: 'client_ids' });
  const clientIds = [...new Set(client_ids)];
  let reachable = 0;
  for await (const batch of clientsById(deps, workspaceId, clientIds)) {
    const active = batch.filter(isActive).map(({ id }) => id);
    reachable += (await passesOfClients(deps, workspaceId, active)).size;
  }
  const total = clientIds.length;
  return { total, reachable, unreachable: total - reachable };
}

import type { campaigns as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { findCampaign } from './change-campaign';
import { clientsListed, isActive } from './manual-clients';
import { passesOfClients } from './passes-of-clients';

/** Clients of a manual audience who have no pass; none where the audience is a segment. */
export async function listUnreachable(
  deps: Pick<Deps, 'campaigns' | 'clients' | 'passes'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.UnreachableList> {
  const { manual_client_ids: ids } = await findCampaign(deps, workspaceId, id);
  const unreachable: api.UnreachableClient[] = [];
  for await (const batch of clientsListed(deps, workspaceId, ids)) {
    const active = batch.filter(isActive);
    const clientIds = active.map((client) => client.id);
    const passes = await passesOfClients(deps, workspaceId, clientIds);
    for (const { id: client_id, first_name, last_name, email } of active)
      if (!passes.has(client_id)) unreachable.push({ client_id, first_name, last_name, email });
  }
  return { clients: unreachable };
}

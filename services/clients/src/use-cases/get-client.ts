import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toSnapshot } from '../store/mapping';

export async function getClient(
  { clients }: Pick<Deps, 'clients'>,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<api.Client> {
  const client = await clients.look(workspaceId, id);
  if (!client) throw refusals.clientNotFound();
  return toSnapshot(client);
}

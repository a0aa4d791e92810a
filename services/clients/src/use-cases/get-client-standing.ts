import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/** Whether a client exists, and may collect points. */
export async function getClientStanding(
  { clients }: Pick<Deps, 'clients'>,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ClientStanding> {
  const client = await clients.find(workspaceId, clientId);
  if (!client) throw refusals.clientNotFound();
  return {
    status: client.status,
    loyalty_program_enabled: client.loyalty_program_enabled,
  };
}

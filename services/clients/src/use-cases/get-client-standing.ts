import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

/** Whether a client exists, may collect points, and has proven their address. */
export async function getClientStanding(
  { clients, addressProofs }: Pick<Deps, 'clients' | 'addressProofs'>,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ClientStanding> {
  const [client, proof] = await Promise.all([
    clients.look(workspaceId, clientId),
    addressProofs.look(workspaceId, clientId),
  ]);
  if (!client) throw refusals.clientNotFound();
  return {
    status: client.status,
    loyalty_program_enabled: client.loyalty_program_enabled,
    revision: client.revision,
    ...(proof ? { sessions_since: proof.since.getTime() } : {}),
    ...(proof?.provenAt ? { address_proven_at: proof.provenAt.getTime() } : {}),
    ...(proof?.provenAt && client.email ? { proven_email: client.email } : {}),
  };
}

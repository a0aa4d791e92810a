import { commitOnce } from '@laurel/mongo';
import type { clients as api, common } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';

export async function deleteExternalIdentity(
  { connection, clients, identities }: Pick<Deps, 'connection' | 'clients' | 'identities'>,
  { workspace_id: workspaceId, client_id: clientId, provider }: api.ExternalIdentityRequest,
): Promise<common.Empty> {
  return commitOnce(connection, async (session) => {
    const client = await clients.find(workspaceId, clientId, session);
    if (!client) throw refusals.clientNotFound();
    const removed = await identities.remove(workspaceId, clientId, { provider, session });
    if (!removed) throw refusals.identityNotFound();
    return {};
  });
}

import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toIdentityReply } from './wire';

/** Under which ids outside systems know a client. */
export async function listExternalIdentities(
  { clients, identities }: Pick<Deps, 'clients' | 'identities'>,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ExternalIdentityList> {
  if (!(await clients.find(workspaceId, clientId))) throw refusals.clientNotFound();
  const found = await identities.ofClient(workspaceId, clientId);
  return { identities: found.map(toIdentityReply) };
}

import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import type { ExternalIdentity } from '../store/identities';

/** Under which ids outside systems know a client. */
export async function listExternalIdentities(
  { clients, identities }: Pick<Deps, 'clients' | 'identities'>,
  { workspace_id: workspaceId, client_id: clientId }: api.ClientRequest,
): Promise<api.ExternalIdentityList> {
  if (!(await clients.find(workspaceId, clientId))) throw refusals.clientNotFound();
  const found = await identities.ofClient(workspaceId, clientId);
  return { identities: found.map(toIdentityReply) };
}

export function toIdentityReply({
  provider,
  external_id,
  date_created,
}: Pick<ExternalIdentity, 'provider' | 'external_id' | 'date_created'>): api.ExternalIdentity {
  return { provider, external_id, date_created: date_created.toISOString() };
}

import { newId } from '@laurel/lifecycle';
import { commitOnce, isDuplicateKey } from '@laurel/mongo';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { toIdentityReply } from './wire';

/** Says under which id a provider knows a client. An id that another client has is refused. */
export async function putExternalIdentity(
  {
    connection,
    clients,
    identities,
    clock,
  }: Pick<Deps, 'connection' | 'clients' | 'identities' | 'clock'>,
  request: api.PutExternalIdentityRequest,
): Promise<api.ExternalIdentity> {
  const { workspace_id, client_id, provider, external_id } = request;
  const identity = {
    id: newId(),
    workspace_id,
    client_id,
    provider,
    external_id,
    date_created: clock.now(),
  };
  try {
    return await commitOnce(connection, async (session) => {
      const client = await clients.find(workspace_id, client_id, session);
      if (!client) throw refusals.clientNotFound();
      if (client.status === 'anonymized') throw refusals.clientAnonymized();
      return toIdentityReply(await identities.put(identity, session));
    });
  } catch (error) {
    if (isDuplicateKey(error)) throw refusals.identityTaken({ field: 'external_id' });
    throw error;
  }
}

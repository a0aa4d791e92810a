import { platform } from '@laurel/errors';
import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { Client } from '../domain/client';
import { toSnapshot } from '../store/mapping';

/** The client with an address, a number, or an id at a provider; an empty answer if there is none. */
export async function findClientBy(
  deps: Pick<Deps, 'clients' | 'identities'>,
  request: api.FindClientByRequest,
): Promise<api.FoundClient> {
  const client = await find(deps, request);
  return client ? { client: toSnapshot(client) } : {};
}

async function find(
  { clients, identities }: Pick<Deps, 'clients' | 'identities'>,
  request: api.FindClientByRequest,
): Promise<Client | null> {
  const { workspace_id: workspaceId, email, phone, provider, external_id: externalId } = request;
  if (email !== undefined) return clients.findByEmail(workspaceId, email);
  if (phone !== undefined) return clients.findByPhone(workspaceId, phone);
  if (provider === undefined || externalId === undefined) {
    throw platform.invalidPayload({
      message: 'give an email, a phone, or a provider with an external_id',
    });
  }
  const id = await identities.findClientId(workspaceId, provider, externalId);
  return id === null ? null : clients.find(workspaceId, id);
}

import type { Json } from '@laurel/errors';
import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';
import { listPassesOfClients } from './read-passes';

/** Everything held on a person here: the passes (right of access). */
export async function exportClient(
  deps: Pick<PassDeps, 'passes' | 'links' | 'clients'>,
  { workspace_id, client_id }: api.ClientRequest,
): Promise<api.ClientExport> {
  const { passes } = await listPassesOfClients(deps, { workspace_id, client_ids: [client_id] });
  return { data: { passes: passes as unknown as Json } };
}

import type { clients as api } from '@laurel/rpc';
import type { Deps } from '../deps';
import { resolveClients } from './resolve-clients';

/** Whom merged clients became; those that were not merged, or whose last one is gone, are left out. */
export async function listSuccessors(
  deps: Pick<Deps, 'clients' | 'tombstones'>,
  { workspace_id: workspaceId, ids }: api.ClientIds,
): Promise<api.Successors> {
  const people = await resolveClients(deps, { workspaceId }, ids);
  const successors = [...people]
    .filter(([id, { clientId, goneSince }]) => clientId !== id && goneSince === null)
    .map(([id, { clientId }]) => ({ id, current_id: clientId }));
  return { successors };
}

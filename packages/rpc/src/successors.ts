import type { RpcClient } from './client';
import { orBeforeUpgrade } from './failures';

type Clients = Pick<RpcClient<'clients'>, 'ListSuccessors'>;

/** Whom clients became that were merged into another; those that were not are left out. */
export async function successorsOf(
  clients: Clients,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const asked = clients.ListSuccessors({ workspace_id: workspaceId, ids: [...ids] });
  const { successors } = await orBeforeUpgrade(asked, () => ({ successors: [] }));
  return new Map(successors.map(({ id, current_id }) => [id, current_id]));
}

/** Whom a client became that was merged into another; null where it was not. */
export const successorOf = async (
  clients: Clients,
  workspaceId: string,
  clientId: string,
): Promise<string | null> =>
  (await successorsOf(clients, workspaceId, [clientId])).get(clientId) ?? null;

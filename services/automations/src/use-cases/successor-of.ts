import { orBeforeUpgrade } from '@laurel/rpc';
import type { Deps } from '../deps';

/** Whom a client became that was merged into another; null where it was not. */
export async function successorOf(
  { clients }: Pick<Deps, 'clients'>,
  workspaceId: string,
  clientId: string,
): Promise<string | null> {
  const asked = clients.ListSuccessors({ workspace_id: workspaceId, ids: [clientId] });
  const { successors } = await orBeforeUpgrade(asked, () => ({ successors: [] }));
  return successors[0]?.current_id ?? null;
}

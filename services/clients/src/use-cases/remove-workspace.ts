import { removeWorkspace as removeRows } from '@laurel/mongo';
import type { Deps } from '../deps';

/** Removes everything this service holds of a workspace, and what is remembered of it here. Repeating it is harmless. */
export async function removeWorkspace(
  deps: Pick<Deps, 'connection' | 'collections' | 'clients' | 'events' | 'narrowed'>,
  workspaceId: string,
): Promise<void> {
  await removeRows(deps, workspaceId);
  deps.clients.forgetTotals(workspaceId);
  deps.narrowed.forgetTotals(workspaceId);
  deps.events.forgetTotals(workspaceId);
}

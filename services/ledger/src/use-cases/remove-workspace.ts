import { removeWorkspace as removeRows } from '@laurel/mongo';
import type { Deps } from '../deps';

/** Removes everything the ledger holds of a deleted workspace, and what is remembered of it here. */
export async function removeWorkspace(
  deps: Pick<Deps, 'connection' | 'collections' | 'heads' | 'wallets' | 'entryTotals'>,
  workspaceId: string,
): Promise<void> {
  await removeRows(deps, workspaceId);
  deps.heads.clear();
  deps.wallets.forget();
  deps.entryTotals.forget(workspaceId);
}

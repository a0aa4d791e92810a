import { deleteInPieces } from '@laurel/mongo';
import type { Deps } from '../deps';
import { DAILY_SUMS } from '../store/daily-sums';

const COLLECTIONS = [
  'entries',
  'wallets',
  'wallet_lots',
  'wallet_types',
  'loyalty_configs',
  'purchase_refunds',
  'checkpoints',
  DAILY_SUMS,
];

/** Removes everything the ledger holds of a deleted workspace. */
export async function removeWorkspace(
  {
    connection,
    heads,
    wallets,
    entryTotals,
  }: Pick<Deps, 'connection' | 'heads' | 'wallets' | 'entryTotals'>,
  workspaceId: string,
): Promise<void> {
  for (const collection of COLLECTIONS)
    await deleteInPieces(connection, collection, { workspace_id: workspaceId });
  heads.clear();
  wallets.forget();
  entryTotals.forget(workspaceId);
}

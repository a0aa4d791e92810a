import { newId } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import type { WalletDocument } from '../store/documents';

const BATCH_SIZE = 200;

/**
 * Matures, expires and releases whatever is due in wallets in which nothing else happens. Each of these is
 * an operation with a name of its own, so that any number of replicas may do this at once.
 */
export async function settleDueWallets(deps: Deps): Promise<{ more: boolean }> {
  const due = await deps.wallets.due(new Date(deps.now()), BATCH_SIZE);
  await Promise.all(due.map((wallet) => settleWallet(deps, wallet)));
  return { more: due.length === BATCH_SIZE };
}

/** The log settles a wallet before any operation; this one has nothing else in mind. */
async function settleWallet({ log, snapshots }: Deps, wallet: WalletDocument): Promise<void> {
  const ref = {
    id: wallet._id,
    workspaceId: wallet.workspace_id,
    clientId: wallet.client_id,
    walletTypeId: wallet.wallet_type_id,
    walletTypeCode: wallet.wallet_type_code,
  };
  await log.perform({ wallet: ref, operationId: `settle:${newId()}`, decide: () => null });
  await snapshots.settled();
  await snapshots.ensure([{ head: ref, sequence: wallet.sequence + 1 }]);
}

import { newId } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import type { WalletDocument } from '../store/documents';

const BATCH_SIZE = 200;

/**
 * Matures, expires and releases whatever is due in wallets in which nothing else happens. Each of these is
 * an operation with a name of its own, so that any number of replicas may do this at once. A fault in one wallet keeps no other
 * from it; rejects with what failed once all had their turn.
 */
export async function settleDueWallets(deps: Deps): Promise<{ more: boolean }> {
  const due = await deps.wallets.due(new Date(deps.now()), BATCH_SIZE);
  const outcomes = await Promise.allSettled(due.map((wallet) => settleWallet(deps, wallet)));
  const failures = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} wallets could not be settled`);
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

import { isAmount, toUnits } from '@laurel/amount';
import type { CloudEvent, TransactionRecorded } from '@laurel/events';
import type { Deps } from '../deps';
import { ratioOfAmounts, refundEarns } from './refund-purchase';
import { takeLateEarn } from './take-late-earn';
import { walletsOfPerson } from './wallets-of-person';

/**
 * A refund event takes back what its sales earned (part 4, section 5), without anybody asking. The trail has found the
 * sales among the client's own; here only earns of the same person count, whatever names others gave their sales. The
 * share is what was refunded of what was paid for them all.
 */
export async function followRefund(
  deps: Deps,
  { data, workspaceid }: CloudEvent<string, TransactionRecorded>,
): Promise<void> {
  const { refunded_sales: sales, client_id: clientId, amount } = data;
  if (!sales || clientId === null || !isAmount(amount) || amount <= 0) return;
  const workspaceId = workspaceid!;
  const walletIds = await walletsOfPerson(deps, workspaceId, clientId);
  const earns = await deps.entries.findPurchaseEarns(workspaceId, sales.names);
  // The same sales are the same row, whatever the refund called them.
  const ids = [...sales.event_ids].sort();
  await refundEarns(deps, {
    workspaceId,
    sourceId: `sales:${ids.join(',')}`,
    sales: { ids, client_id: clientId },
    operationId: `event:${data.id}`,
    ratio: ratioOfAmounts(toUnits(amount), toUnits(sales.amount)),
    walletIds,
    earns: earns.filter(({ wallet_id }) => walletIds.includes(wallet_id)),
  });
  // What was earned between the look at the earns and the refund on record was told to nobody who knew of the refund.
  for (const earn of await deps.entries.findPurchaseEarns(workspaceId, ids))
    await takeLateEarn(deps, earn);
}

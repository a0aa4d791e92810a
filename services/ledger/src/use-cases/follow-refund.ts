import type { EarlierRefund, EventOf, SharedSales } from '@laurel/events';
import { isAmount, totalUnitsOf, toUnits } from '@laurel/values/amount';
import type { Deps } from '../deps';
import type { RefundDocument } from '../store/purchase-refunds';
import { ratioOfAmounts } from './asked-refund';
import { refundEarns } from './refund-purchase';
import { takeLateEarn } from './take-late-earn';
import { walletsOfPerson } from './wallets-of-person';

/**
 * A refund event takes back what its sales earned (part 4, section 5), without anybody asking. The trail has found the
 * sales among the client's own; here only earns of the same person count, whatever names others gave their sales. The
 * share is what was refunded of what was paid for them all. What came before it of some of these sales comes first here,
 * too, whichever event arrives first: of a sale that it gives back alone an earlier refund needs all that is left.
 */
export async function followRefund(
  deps: Deps,
  { data, workspaceid: workspaceId }: EventOf<'transaction.refund'>,
): Promise<void> {
  const { refunded_sales: sales, client_id: clientId, amount } = data;
  if (!sales || clientId === null || !isAmount(amount) || amount <= 0) return;
  const person = { workspaceId, clientId };
  const { earlier = [], ...own } = sales;
  for (const refund of earlier)
    if (!(await isThrough(deps, person, refund))) await take(deps, person, refund);
  await take(deps, person, { refund_id: data.id, refunded: amount, ...own });
}

interface Person {
  workspaceId: string;
  clientId: string;
}

/** What a refund takes back under some names, of what was paid for all sales that have them. */
interface Share extends SharedSales {
  isShared: boolean;
}

/**
 * A refund takes back what its sales earned under names of their own, and its part of what they earned under names that
 * other sales have, too. That adds up with what is refunded by such a name, which means all of those sales.
 */
const sharesOf = ({ shared = [], ...own }: EarlierRefund): Share[] => [
  { ...own, isShared: false },
  ...shared.map((sales) => ({ ...sales, isShared: true })),
];

/** The same sales are the same row, whatever a refund called them. */
export const rowOf = ({ event_ids }: Pick<SharedSales, 'event_ids'>) =>
  `sales:${[...event_ids].sort().join(',')}`;
const operationOf = ({ refund_id }: EarlierRefund) => `event:${refund_id}`;

async function isThrough(
  deps: Deps,
  { workspaceId }: Person,
  refund: EarlierRefund,
): Promise<boolean> {
  const isOwn = ({ operation_id, done }: RefundDocument) =>
    done && operation_id === operationOf(refund);
  for (const share of sharesOf(refund)) {
    const purchase = await deps.refunds.find(workspaceId, rowOf(share));
    if (!purchase?.refunds.some(isOwn)) return false;
  }
  return true;
}

/** What a person was given for sales of some names, and the wallets that it may be in. */
export async function earnsOf(
  deps: Deps,
  { workspaceId, clientId }: Person,
  names: readonly string[],
) {
  const walletIds = await walletsOfPerson(deps, workspaceId, clientId);
  const earns = await deps.entries.findPurchaseEarns(workspaceId, names);
  return { walletIds, earns: earns.filter(({ wallet_id }) => walletIds.includes(wallet_id)) };
}

async function take(deps: Deps, person: Person, refund: EarlierRefund): Promise<void> {
  const { workspaceId, clientId } = person;
  for (const share of sharesOf(refund)) {
    const { event_ids: ids, names, refunded, amount, isShared } = share;
    await refundEarns(deps, {
      workspaceId,
      sourceId: rowOf(share),
      sales: { ids: [...ids].sort(), client_id: clientId, names, shared: isShared },
      operationId: operationOf(refund),
      ratio: ratioOfAmounts(toUnits(refunded), totalUnitsOf([amount])),
      ...(await earnsOf(deps, person, names)),
    });
  }
  // Earns between the look at them and the refund on record came from services that did not know of the refund.
  for (const earn of await deps.entries.findPurchaseEarns(workspaceId, refund.event_ids))
    await takeLateEarn(deps, earn);
}

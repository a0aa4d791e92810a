import type { EarlierRefund, EventOf, SharedSales } from '@laurel/events';
import { mapAtOnce } from '@laurel/lifecycle';
import { isAmount, totalUnitsOf, toUnits } from '@laurel/values/amount';
import type { Deps } from '../deps';
import { isWhole } from '../domain/refund-shares';
import type { EntryDocument } from '../store/documents';
import { keyOfSales, type RefundDocument } from '../store/purchase-refunds';
import { ratioOfAmounts } from './asked-refund';
import { refundEarns } from './refund-purchase';
import { takeLateEarns } from './take-late-earn';
import { walletsOfPerson } from './wallets-of-person';

/** So many sales are one payment that was split: the release before took a number that a till sends with all it does for one. */
const SALES_MAX = 100;
/** So many earns are looked at and taken back by one refund. */
const EARNS_MAX = 1_000;
/** A name that more earns have is not that of some sales, where there are too many to look at. */
const EARNS_OF_NAME_MAX = 100;
/** Names that are looked for at once: others ask the same store. */
const AT_ONCE = 16;

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
  const { earlier = [], merging = [], ...own } = sales;
  const person = { workspaceId, clientId, merging };
  for (const refund of earlier)
    if (!(await isThrough(deps, person, refund))) await take(deps, person, refund);
  await take(deps, person, { refund_id: data.id, refunded: amount, ...own });
}

interface Person {
  workspaceId: string;
  clientId: string;
  /** Clients that are becoming part of this one: what is in their wallets may not have come over yet. */
  merging: readonly string[];
}

/** What a refund takes back under some names, of what was paid for all sales that have them. */
interface Share extends SharedSales {
  isShared: boolean;
}

/**
 * A refund takes back what its sales earned under names of their own, and its part of what they earned under names that
 * other sales have, too. That adds up with what is refunded by such a name, which means all of those sales. One of nothing
 * takes nothing: its sales may have been free.
 */
const sharesOf = ({ shared = [], ...own }: EarlierRefund): Share[] =>
  [{ ...own, isShared: false }, ...shared.map((sales) => ({ ...sales, isShared: true }))].filter(
    ({ refunded }) => refunded > 0,
  );

const operationOf = ({ refund_id }: EarlierRefund) => `event:${refund_id}`;

async function isThrough(
  deps: Deps,
  { workspaceId }: Person,
  refund: EarlierRefund,
): Promise<boolean> {
  const isOwn = ({ operation_id, done }: RefundDocument) =>
    done && operation_id === operationOf(refund);
  for (const share of sharesOf(refund)) {
    const purchase = await deps.refunds.ofSales(workspaceId, share.event_ids);
    if (!purchase?.refunds.some(isOwn)) return false;
  }
  return true;
}

/**
 * What a person was given for sales of some names, and the wallets that it may be in. What stands under a name that very
 * many earns have is left alone, as is all of it where there is still too much.
 */
export async function earnsOf(
  deps: Deps,
  { workspaceId, clientId, merging }: Person,
  names: readonly string[],
) {
  const people = [clientId, ...merging];
  const wallets = people.map((client) => walletsOfPerson(deps, workspaceId, client));
  const walletIds = [...new Set((await Promise.all(wallets)).flat())];
  const earnsUnder = (some: readonly string[], most: number): Promise<EntryDocument[]> =>
    deps.entries.findPurchaseEarns(workspaceId, some, { walletIds, limit: most + 1 });
  const earns = await earnsUnder(names, EARNS_MAX);
  if (earns.length <= EARNS_MAX) return { walletIds, earns };
  const byName = await mapAtOnce(names, AT_ONCE, (name) => earnsUnder([name], EARNS_OF_NAME_MAX));
  const clear = byName.filter(({ length }) => length <= EARNS_OF_NAME_MAX).flat();
  return { walletIds, earns: clear.length > EARNS_MAX ? [] : clear };
}

/** Of sales that are refunded to the last nothing stays: then what each earned under its own id goes, too. */
export const namesMeant = (
  { names, event_ids: ids }: Pick<SharedSales, 'names' | 'event_ids'>,
  { before, ratio }: { before: number; ratio: number },
): string[] => (isWhole(before, ratio) ? [...new Set([...names, ...ids])] : [...names]);

async function take(deps: Deps, person: Person, refund: EarlierRefund): Promise<void> {
  const { workspaceId, clientId } = person;
  if (refund.event_ids.length > SALES_MAX) return;
  for (const share of sharesOf(refund)) {
    const { event_ids: ids, refunded, amount, isShared } = share;
    const row = await deps.refunds.ofSales(workspaceId, ids);
    const ratio = ratioOfAmounts(toUnits(refunded), totalUnitsOf([amount]));
    const names = namesMeant(share, { before: row?.ratio_total ?? 0, ratio });
    await refundEarns(deps, {
      workspaceId,
      sourceId: row?.source_id ?? keyOfSales(ids),
      sales: { ids: [...ids].sort(), client_id: clientId, names, shared: isShared },
      operationId: operationOf(refund),
      ratio,
      ...(await earnsOf(deps, person, names)),
    });
  }
  await takeLateEarns(deps, workspaceId, refund.event_ids);
}

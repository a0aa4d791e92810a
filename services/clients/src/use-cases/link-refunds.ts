import type { Session } from '@laurel/mongo';
import type { Deps } from '../deps';
import { linkRefund, namesGiven, namesOfSale } from '../domain/refund-link';
import type { TrailEvent } from '../domain/trail-event';

/**
 * Finds for each refund the sales of its client that it gives back. It runs in the transaction that writes the
 * refund and moves its client's metrics, so that two refunds at once never share what is left of one sale.
 */
export async function linkRefunds(
  deps: Pick<Deps, 'sales'>,
  workspaceId: string,
  rows: readonly TrailEvent[],
  session: Session,
): Promise<TrailEvent[]> {
  const linked: TrailEvent[] = [];
  for (const row of rows) {
    const isRefund = row.event_category === 'transaction' && row.event_type === 'refund';
    const open = isRefund && row.client_id !== null && !row.orphaned_at;
    linked.push(open ? await linkOne(deps, workspaceId, row, { before: linked, session }) : row);
  }
  return linked;
}

async function linkOne(
  { sales: store }: Pick<Deps, 'sales'>,
  workspaceId: string,
  refund: TrailEvent,
  { before, session }: { before: readonly TrailEvent[]; session: Session },
): Promise<TrailEvent> {
  const clientId = refund.client_id!;
  const names = namesGiven(refund);
  if (names.length === 0) return refund;
  const own = before.filter((row) => row.client_id === clientId);
  const stored = await store.salesNamed(workspaceId, clientId, names, session);
  // What comes in the same piece is not stored yet.
  const fresh = own.filter((row) => row.event_type === 'purchase' && sharesName(row, names));
  const sales = [...stored, ...fresh];
  const earlier = await store.refundsOf(
    workspaceId,
    clientId,
    sales.map(({ id }) => id),
    session,
  );
  const refunds = [...earlier, ...own].flatMap(({ amount, refund_link: link }) =>
    link ? [{ amount, saleIds: link.saleIds }] : [],
  );
  return { ...refund, refund_link: linkRefund(refund, sales, refunds) };
}

const sharesName = (row: TrailEvent, names: readonly string[]): boolean =>
  namesOfSale(row).some((name) => names.includes(name));

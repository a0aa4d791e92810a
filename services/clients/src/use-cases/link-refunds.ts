import { smaller, ZERO } from '@laurel/values/amount';
import type { Deps, WorkspaceUnit } from '../deps';
import {
  earlierThan,
  linkRefund,
  namesGiven,
  namesOfSale,
  restFor,
  withSharedApart,
} from '../domain/refund-link';
import type { TrailEvent } from '../domain/trail-event';
import type { Transaction } from '../store/sales';

type LinkDeps = Pick<Deps, 'sales' | 'clock'>;

/**
 * Finds for each refund the sales of its client that it gives back. It runs in the transaction that writes the
 * refund and moves its client's metrics, so that two refunds at once never share what is left of one sale.
 */
export async function linkRefunds(
  deps: LinkDeps,
  unit: WorkspaceUnit,
  rows: readonly TrailEvent[],
): Promise<TrailEvent[]> {
  const linked: TrailEvent[] = [];
  for (const row of rows) {
    const isRefund = row.event_category === 'transaction' && row.event_type === 'refund';
    const open = isRefund && row.client_id !== null && !row.orphaned_at;
    linked.push(open ? await linkOne(deps, unit, { refund: row, written: linked }) : row);
  }
  return linked;
}

/**
 * A refund of what is left of its sale where that is less than it says; null where nothing is. One that fits no sale stays
 * as it is.
 */
export async function cutToRest(
  deps: LinkDeps,
  unit: WorkspaceUnit,
  refund: TrailEvent,
): Promise<TrailEvent | null> {
  const { sales, before } = await around(deps, unit, { refund, written: [] });
  const rest = restFor(refund, sales, before);
  if (rest === null) return refund;
  return rest === ZERO ? null : { ...refund, amount: smaller(rest, refund.amount ?? ZERO) };
}

interface Among {
  refund: TrailEvent;
  /** What comes in the same piece and is not stored yet. */
  written: readonly TrailEvent[];
}

async function linkOne(deps: LinkDeps, unit: WorkspaceUnit, among: Among): Promise<TrailEvent> {
  const { refund } = among;
  if (namesGiven(refund).length === 0) return refund;
  const { sales, refunds, before, refundsOf } = await around(deps, unit, among);
  const found = linkRefund(refund, sales, before);
  if (found?.state !== 'linked') return { ...refund, refund_link: found };
  const now = deps.clock.now();
  const earlier = earlierThan(found, await allSharing(found.saleIds, refunds, refundsOf), now);
  // The refund may have named one of its sales alone, and other sales have another of that one's names.
  const bearers = await salesUnder(deps, unit, { among, names: found.names });
  const link = { ...withSharedApart(found, refund, bearers), linkedAt: now };
  return { ...refund, refund_link: earlier.length > 0 ? { ...link, earlier } : link };
}

/** The sales of the client of a refund that have any of some names. */
async function salesUnder(
  { sales: store }: LinkDeps,
  { workspaceId, session }: WorkspaceUnit,
  { among: { refund, written }, names }: { among: Among; names: readonly string[] },
) {
  const clientId = refund.client_id!;
  const stored = await store.salesNamed(workspaceId, { clientId, names }, session);
  const fresh = written.filter(
    (row) => row.client_id === clientId && row.event_type === 'purchase' && sharesName(row, names),
  );
  return [...stored, ...fresh];
}

/** The sales of its client that a refund names, and what was given back of them. */
async function around(deps: LinkDeps, unit: WorkspaceUnit, among: Among) {
  const { sales: store } = deps;
  const { workspaceId, session } = unit;
  const { refund, written } = among;
  const clientId = refund.client_id!;
  const own = written.filter((row) => row.client_id === clientId);
  const sales = await salesUnder(deps, unit, { among, names: namesGiven(refund) });
  const refundsOf = async (saleIds: readonly string[]): Promise<Transaction[]> => [
    ...(await store.refundsOf(workspaceId, { clientId, saleIds }, session)),
    ...own.filter(({ refund_link: link }) => link?.saleIds.some((id) => saleIds.includes(id))),
  ];
  const refunds = await refundsOf(sales.map(({ id }) => id));
  const before = refunds.flatMap(({ amount, refund_link: link }) =>
    link ? [{ amount, saleIds: link.saleIds }] : [],
  );
  return { sales, refunds, before, refundsOf };
}

/** The refunds that share sales with one, and those that share sales with these, and so on. */
async function allSharing(
  saleIds: readonly string[],
  found: readonly Transaction[],
  refundsOf: (saleIds: readonly string[]) => Promise<Transaction[]>,
): Promise<readonly Transaction[]> {
  const all = [...new Set(found.flatMap(({ refund_link: link }) => link?.saleIds ?? []))];
  if (all.every((id) => saleIds.includes(id))) return found;
  const more = await refundsOf(all);
  return more.length === found.length ? more : allSharing(all, more, refundsOf);
}

const sharesName = (row: TrailEvent, names: readonly string[]): boolean =>
  namesOfSale(row).some((name) => names.includes(name));

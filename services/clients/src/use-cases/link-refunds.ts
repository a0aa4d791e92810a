import { smaller, type Units, ZERO } from '@laurel/values/amount';
import type { Deps, WorkspaceUnit } from '../deps';
import {
  BEARERS_MAX,
  crowdedAmong,
  earlierThan,
  linkRefund,
  meantBy,
  namesGiven,
  namesOfSale,
  restFor,
  under,
  withSharedApart,
} from '../domain/refund-link';
import type { RefundLink, TrailEvent } from '../domain/trail-event';
import type { Refund, Sale } from '../store/sales';

export type LinkDeps = Pick<Deps, 'sales' | 'processes' | 'clock'>;

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
    const isNamed = isRefund && namesGiven(row).length > 0;
    const open = isNamed && row.client_id !== null && !row.orphaned_at;
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
  const trail = await trailFor(deps, unit, { refund, written: [] });
  const { sales, before } = await around(trail, refund);
  const rest = restFor(refund, sales, before);
  if (rest === null) return refund;
  return rest === ZERO ? null : { ...refund, amount: smaller(rest, refund.amount ?? ZERO) };
}

/** How a refund would be linked, and what is left of the sales that it means: null where it means none. Nothing is written. */
export async function quoteLink(
  deps: LinkDeps,
  unit: WorkspaceUnit,
  refund: TrailEvent,
): Promise<{ link: RefundLink | null; left: Units | null }> {
  if (namesGiven(refund).length === 0) return { link: null, left: null };
  const trail = await trailFor(deps, unit, { refund, written: [] });
  const found = await around(trail, refund);
  const { refund_link: link } = await linkAmong(deps, { refund, trail }, found);
  return { link, left: restFor(refund, found.sales, found.before) };
}

async function linkOne(deps: LinkDeps, unit: WorkspaceUnit, among: Among): Promise<TrailEvent> {
  const { refund } = among;
  const trail = await trailFor(deps, unit, among);
  return linkAmong(deps, { refund, trail }, await around(trail, refund));
}

async function linkAmong(
  deps: Pick<LinkDeps, 'clock'>,
  { refund, trail }: { refund: TrailEvent; trail: Trail },
  { sales, refunds, before }: Awaited<ReturnType<typeof around>>,
): Promise<TrailEvent> {
  const found = linkRefund(refund, sales, before);
  if (found?.state !== 'linked') return { ...refund, refund_link: found };
  const now = deps.clock.now();
  const earlier = earlierThan(found, refunds, now);
  const { others, crowded } = await othersNamed(trail, found);
  const meant = new Set(found.saleIds);
  const own = sales.filter(({ id }) => meant.has(id));
  const bearers = { sales: [...own, ...others], crowded, earlier: before };
  const link: RefundLink = {
    ...withSharedApart(found, refund, bearers),
    linkedAt: now,
    ...(earlier.length > 0 ? { earlier } : {}),
    ...(trail.merging.length > 0 ? { merging: [...trail.merging] } : {}),
  };
  return { ...refund, refund_link: link };
}

interface Among {
  refund: TrailEvent;
  /** What comes in the same piece and is not stored yet. */
  written: readonly TrailEvent[];
}

/** What a person bought and brought back: what is stored, and what comes in the same piece. */
interface Trail {
  merging: readonly string[];
  salesNamed(
    names: readonly string[],
    within: { but?: readonly string[]; limit: number },
  ): Promise<Sale[]>;
  salesOf(ids: readonly string[]): Promise<Sale[]>;
  refundsOf(saleIds: readonly string[]): Promise<Refund[]>;
}

/** The trail of the client of a refund. While others are being merged into it, some of their rows stand under their own ids. */
async function trailFor(
  { sales: store, processes }: LinkDeps,
  { workspaceId, session }: WorkspaceUnit,
  { refund, written }: Among,
): Promise<Trail> {
  const clientId = refund.client_id!;
  const merging = await processes.mergingInto(workspaceId, clientId, session);
  const clientIds = [clientId, ...merging];
  const own = written.filter((row) => row.client_id === clientId);
  const bought = own.filter(
    (row) => row.event_category === 'transaction' && row.event_type === 'purchase',
  );
  return {
    merging,
    async salesNamed(names, { but = [], limit }) {
      const stored = await store.salesNamed(workspaceId, { clientIds, names, but, limit }, session);
      const known = new Set(but);
      const fresh = bought.filter((row) => !known.has(row.id) && sharesName(row, names));
      return [...stored, ...fresh];
    },
    async salesOf(ids) {
      if (ids.length === 0) return [];
      const stored = await store.salesOf(workspaceId, { clientIds, ids }, session);
      const wanted = new Set(ids);
      return [...stored, ...bought.filter(({ id }) => wanted.has(id))];
    },
    async refundsOf(saleIds) {
      const stored = await store.refundsOf(workspaceId, { clientIds, saleIds }, session);
      const wanted = new Set(saleIds);
      const fresh = own.filter(({ refund_link: link }) =>
        link?.saleIds.some((id) => wanted.has(id)),
      );
      return [...stored, ...fresh];
    },
  };
}

/** The sales that a refund names, and what was given back of those it means; with it the sales that this was given back with. */
async function around(trail: Trail, refund: TrailEvent) {
  const named = await salesGiven(trail, namesGiven(refund));
  const meant = meantBy(refund, named).map(({ id }) => id);
  const refunds = await allSharing(meant, await trail.refundsOf(meant), trail);
  const before = refunds.flatMap(({ amount, refund_link: link }) =>
    link ? [{ amount, saleIds: link.saleIds }] : [],
  );
  const known = new Set(named.map(({ id }) => id));
  const more = new Set(before.flatMap(({ saleIds }) => saleIds).filter((id) => !known.has(id)));
  return { sales: [...named, ...(await trail.salesOf([...more]))], refunds, before };
}

/**
 * The sales under the names that a refund gives. Where very many have one of these, those under the first that fits any, as
 * far as they tell that they are very many: a till may send one number with all it does.
 */
async function salesGiven(trail: Trail, names: readonly string[]): Promise<Sale[]> {
  const limit = BEARERS_MAX * names.length + 1;
  const all = await trail.salesNamed(names, { limit });
  if (all.length < limit) return all;
  for (const name of names) {
    const found = under(name, await trail.salesNamed([name], { limit: BEARERS_MAX + 1 }));
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The other sales that have any of the names of a link's: the refund may have named one of its sales alone. A name that very
 * many have is left at that, so that no refund reads all that a client ever bought.
 */
async function othersNamed(
  trail: Trail,
  { saleIds, names }: RefundLink,
): Promise<{ others: Sale[]; crowded: ReadonlySet<string> }> {
  const crowded = new Set<string>();
  for (let asked = names; ; asked = asked.filter((name) => !crowded.has(name))) {
    // So many have one of the names more than `BEARERS_MAX` times.
    const limit = BEARERS_MAX * asked.length + 1;
    const others = await trail.salesNamed(asked, { but: saleIds, limit });
    const full = crowdedAmong(others).filter((name) => asked.includes(name));
    for (const name of full) crowded.add(name);
    const isAll = others.length < limit || full.length === 0 || crowded.size === names.length;
    if (isAll) return { others, crowded };
  }
}

/** The refunds that share sales with one, and those that share sales with these, and so on. */
async function allSharing(
  saleIds: readonly string[],
  found: readonly Refund[],
  trail: Pick<Trail, 'refundsOf'>,
): Promise<readonly Refund[]> {
  const all = [...new Set(found.flatMap(({ refund_link: link }) => link?.saleIds ?? []))];
  const known = new Set(saleIds);
  if (all.every((id) => known.has(id))) return found;
  const more = await trail.refundsOf(all);
  return more.length === found.length ? more : allSharing(all, more, trail);
}

const sharesName = (row: TrailEvent, names: readonly string[]): boolean =>
  namesOfSale(row).some((name) => names.includes(name));

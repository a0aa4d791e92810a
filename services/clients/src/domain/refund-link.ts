import type { RefundLinkState } from '@laurel/contract';
import type { JsonObject } from '@laurel/errors';
import { larger, total, type Units, unitsOf, ZERO } from '@laurel/values/amount';
import { type Earlier, leftOf, totalOf } from './left-of-sales';
import type { EarlierRefund, RefundLink, SharedSales, TrailEvent } from './trail-event';

/** How long a refund may be on its way to those who hear of it. */
const ON_ITS_WAY_MS = 3_600_000;
const EARLIER_MAX = 20;
/** So many sales are named by these together: a till may send one number with all it does, and the event is to be stored. */
const EARLIER_SALES_MAX = 2_000;
/** A name that more sales have says nothing of any of them: some tills send the same one with each. */
export const BEARERS_MAX = 100;

/** Members of a sale's metadata that are names of it (part 4, section 12). */
export const NAMES_OF_SALE = ['order_id', 'transaction_id', 'original_transaction_id'] as const;

/** Members of a refund's metadata that may name its sale, the most exact first. */
const NAMES_IN_REFUND = [
  'original_external_id',
  'purchase_external_id',
  'original_event_id',
  'purchase_event_id',
  'refunded_event_id',
  'original_transaction_id',
  'purchase_id',
  'refund_of',
  'source_id',
  'transaction_id',
  'order_id',
] as const;

/** A source_id says where something comes from as often as which sale it is: alone it counts only where a sale is found. */
const SURE_NAMES = NAMES_IN_REFUND.filter((key) => key !== 'source_id');

type Sale = Pick<TrailEvent, 'id' | 'external_id' | 'metadata' | 'amount' | 'currency'>;
type Refund = Sale & Pick<TrailEvent, 'original_external_id'>;

/** Numbers and their text are the same name. */
function nameIn(value: unknown): string | null {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : null;
}

const namesUnder = (metadata: JsonObject, keys: readonly string[]): string[] =>
  keys.map((key) => nameIn(metadata[key])).filter((name) => name !== null);

/** Every name under which a refund may know a sale. */
export function namesOfSale({
  id,
  external_id,
  metadata,
}: Pick<Sale, 'id' | 'external_id' | 'metadata'>): string[] {
  const names = [id, external_id, ...namesUnder(metadata, NAMES_OF_SALE)];
  return [...new Set(names.filter((name) => name !== null))];
}

/**
 * The names that a refund gives its sale, the most exact first; the one that was sent for it counts alone. What a till
 * calls the refund itself is no name of a sale.
 */
export function namesGiven(
  {
    original_external_id,
    external_id,
    metadata,
  }: Pick<Refund, 'original_external_id' | 'external_id' | 'metadata'>,
  keys: readonly string[] = NAMES_IN_REFUND,
): string[] {
  if (original_external_id !== null) return [original_external_id];
  const own = new Set([external_id, external_id?.replace(/^\w+:/, '')]);
  return [...new Set(namesUnder(metadata, keys))].filter((name) => !own.has(name));
}

/**
 * Decides what a refund gives back: the sales of the same client under the first of its names that fits any. Nothing is
 * guessed where none fits, where very many do, or where more would be given back than is left of them (part 4, section 5).
 *
 * @param sales those of the client that have one of the names, and all that were refunded together with any of these
 * @param earlier refunds of the client that were linked to any of them
 */
export function linkRefund(
  refund: Refund,
  sales: readonly Sale[],
  earlier: readonly Earlier[],
): RefundLink | null {
  if (namesGiven(refund).length === 0) return null;
  const meant = meantBy(refund, sales);
  if (meant.length === 0) {
    const isSure =
      salesNamed(refund, sales).length > 0 || namesGiven(refund, SURE_NAMES).length > 0;
    return isSure ? unlinked('not_found') : null;
  }
  if ((refund.amount ?? 0) > leftOf(meant, sales, earlier)) return unlinked('exceeds');
  return {
    state: 'linked',
    saleIds: meant.map(({ id }) => id).sort(),
    names: [...new Set(meant.flatMap(namesOfSale))].sort(),
    paid: totalOf(meant),
  };
}

interface Bearers {
  /** The sales of the link, and all others of the client that have any of its names; of a crowded name some. */
  sales: readonly Sale[];
  /** The names that more others have than `BEARERS_MAX`. */
  crowded?: ReadonlySet<string>;
  /** Refunds of the client that were linked to any of the link's sales. */
  earlier?: readonly Earlier[];
}

/**
 * Sets apart the names that sales have, too, which the refund does not mean: what was earned under such a name was earned
 * by all of them, and only its part goes back. Where one of them is in another currency no part is known, nor where very
 * many have the name: what was earned under it is left alone. The id of a sale is that of no other, whatever others call
 * themselves.
 */
export function withSharedApart(
  link: RefundLink,
  refund: Refund,
  { sales, crowded = new Set(), earlier = [] }: Bearers,
): RefundLink {
  const own = new Set(link.saleIds);
  const named = byName(sales);
  const before = totalOf(earlier.filter(({ saleIds }) => saleIds.join() === link.saleIds.join()));
  const names: string[] = [];
  const shared = new Map<string, SharedSales>();
  for (const name of link.names) {
    const bearers = named.get(name) ?? [];
    const isOwn = !crowded.has(name) && bearers.every(({ id }) => own.has(id));
    if (own.has(name) || isOwn) {
      names.push(name);
      continue;
    }
    const isUnclear = new Set(bearers.map(({ currency }) => currency)).size > 1;
    if (crowded.has(name) || isUnclear) continue;
    const group = sharedOf(link, bearers, { before, amount: refund.amount ?? ZERO });
    const known = shared.get(group.saleIds.join()) ?? group;
    shared.set(group.saleIds.join(), { ...known, names: [...known.names, name] });
  }
  const groups = [...shared.values()].filter(({ refunded }) => refunded > 0);
  return { ...link, names, ...(groups.length > 0 ? { shared: groups } : {}) };
}

/**
 * Of a refund of sales that have the name and of others that do not, the part is meant that was paid for the former. It is
 * taken from a running total, so that the parts of all refunds of the same sales leave no crumbs.
 */
function sharedOf(
  { saleIds, paid }: RefundLink,
  bearers: readonly Sale[],
  { before, amount }: { before: Units; amount: Units },
): SharedSales {
  const common = BigInt(totalOf(bearers.filter(({ id }) => saleIds.includes(id))));
  const partOf = (refunded: Units) =>
    paid === 0 ? 0n : (BigInt(refunded) * common) / BigInt(paid);
  const part = partOf(total(before, amount)) - partOf(before);
  return {
    saleIds: bearers.map(({ id }) => id).sort(),
    names: [],
    paid: totalOf(bearers),
    refunded: unitsOf(Number(part)),
  };
}

/** Some sales under each of their names. */
function byName(sales: readonly Sale[]): Map<string, Sale[]> {
  const named = new Map<string, Sale[]>();
  for (const sale of sales)
    for (const name of namesOfSale(sale)) {
      const known = named.get(name);
      if (known) known.push(sale);
      else named.set(name, [sale]);
    }
  return named;
}

/** The names that more of some sales have than say anything of one of them. */
export const crowdedAmong = (sales: readonly Sale[]): string[] =>
  [...byName(sales)].flatMap(([name, bearers]) => (bearers.length > BEARERS_MAX ? [name] : []));

/** What is left of the sales that a refund means; null where it means none. */
export function restFor(
  refund: Refund,
  sales: readonly Sale[],
  earlier: readonly Earlier[],
): Units | null {
  const meant = meantBy(refund, sales);
  return meant.length === 0 ? null : larger(ZERO, leftOf(meant, sales, earlier));
}

/**
 * The sales that a refund means: those under the first of its names that fits any, as far as they are in its currency. None
 * where very many have that name: it is no payment that was split, and nothing is guessed.
 */
export function meantBy(refund: Refund, sales: readonly Sale[]): readonly Sale[] {
  const named = salesNamed(refund, sales);
  return named.length > BEARERS_MAX ? [] : inCurrencyOf(refund, named);
}

/** The sales under the first of a refund's names that fits any. */
const salesNamed = (refund: Refund, sales: readonly Sale[]): readonly Sale[] =>
  namesGiven(refund)
    .map((name) => under(name, sales))
    .find((found) => found.length > 0) ?? [];

export const under = <S extends Sale>(name: string, sales: readonly S[]): S[] =>
  sales.filter((sale) => namesOfSale(sale).includes(name));

/**
 * What was paid in several currencies does not add up: the sales in the refund's own are meant, else those that name none.
 * Nothing is guessed of those in another one.
 */
function inCurrencyOf({ currency: own }: Refund, sales: readonly Sale[]): readonly Sale[] {
  const alike = sales.filter(({ currency }) => currency === own);
  if (alike.length > 0) return alike;
  return own === null ? sales : sales.filter(({ currency }) => currency === null);
}

type Linked = Pick<TrailEvent, 'id' | 'amount'> & { refund_link: RefundLink | null };

/**
 * The refunds that a listener to one must have heard of before, so that what each takes back does not hang on which
 * event arrives first: those of some of the same sales and some others. Of exactly the same sales it is all one.
 *
 * @param refunds those that share any sale with it or with each other
 */
export function earlierThan(
  link: RefundLink,
  refunds: readonly Linked[],
  now: Date,
): EarlierRefund[] {
  const own = link.saleIds.join();
  const recent = refunds
    .flatMap(({ id, amount, refund_link: other }) => (other ? [{ id, amount, other }] : []))
    .filter(
      ({ other: { linkedAt } }) => linkedAt && now.getTime() - linkedAt.getTime() < ON_ITS_WAY_MS,
    )
    .sort(
      (one, two) =>
        Number(one.other.linkedAt) - Number(two.other.linkedAt) || (one.id < two.id ? -1 : 1),
    );
  // Of those of one moment each still says what came before it.
  const inOrder = new Set(
    recent.flatMap(({ id, other }) => [...(other.earlier ?? []).map((before) => before.id), id]),
  );
  const byId = new Map(recent.map((refund) => [refund.id, refund]));
  const before = [...inOrder]
    .flatMap((id) => byId.get(id) ?? [])
    .filter(({ other: { saleIds } }) => saleIds.join() !== own)
    .map(({ id, amount, other: { saleIds, names, paid, shared } }) => {
      return { id, amount: amount ?? ZERO, saleIds, names, paid, ...(shared ? { shared } : {}) };
    });
  return latestOf(before);
}

/** The latest, as many as an event has room for. */
function latestOf(refunds: readonly EarlierRefund[]): EarlierRefund[] {
  const latest = refunds.slice(-EARLIER_MAX).reverse();
  let sales = 0;
  const isBeyond = ({ saleIds }: EarlierRefund) => {
    sales += saleIds.length;
    return sales > EARLIER_SALES_MAX;
  };
  const beyond = latest.findIndex(isBeyond);
  return (beyond === -1 ? latest : latest.slice(0, beyond)).reverse();
}

const unlinked = (state: RefundLinkState): RefundLink => ({
  state,
  saleIds: [],
  names: [],
  paid: ZERO,
});

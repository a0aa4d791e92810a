import { smaller, total, type Units, ZERO } from '@laurel/values/amount';

/** So many unions of sales that were refunded together are looked at. */
const UNIONS_MAX = 256;

interface Sale {
  id: string;
  amount: Units | null;
}

/** A refund that was linked to some sales. */
export interface Earlier {
  amount: Units | null;
  saleIds: readonly string[];
}

/**
 * How much of some sales can still be given back. What was refunded of them with others may have been of the others: it is
 * counted where it must have been of these, which is to say for each union of sales that were refunded together, as far as
 * more would come back of it than was paid.
 */
export function leftOf(
  meant: readonly Sale[],
  sales: readonly Sale[],
  earlier: readonly Earlier[],
): Units {
  const known = new Map([...sales, ...meant].map(({ id, amount }) => [id, amount ?? ZERO]));
  for (const { saleIds } of earlier)
    for (const id of saleIds) if (!known.has(id)) known.set(id, ZERO);
  const ids = [...known.keys()];
  const paid = [...known.values()];
  const own = setOf(
    ids,
    meant.map(({ id }) => id),
  );
  const refunds = earlier.map(({ saleIds, amount }) => ({ amount, set: setOf(ids, saleIds) }));
  const unions = unionsFrom(own, [...new Set(refunds.map(({ set }) => set))]);
  if (!unions) {
    const before = refunds.filter(({ set }) => shares(set, own));
    return total(totalOf(meant), -totalOf(before));
  }
  const lefts = unions.map((union) => {
    const before = refunds.filter(({ set }) => isWithin(set, union));
    const bits = [...union.toString(2)].reverse();
    return total(...paid.filter((_, place) => bits[place] === '1'), -totalOf(before));
  });
  return lefts.reduce((least, left) => smaller(least, left));
}

/**
 * Some of all sales, a bit each by its place among them: a till that sends one number with all it does makes very many sets
 * of very many sales, which are put together and compared as numbers are.
 */
type SaleSet = bigint;

function setOf(ids: readonly string[], those: readonly string[]): SaleSet {
  const wanted = new Set(those);
  const bits = ids.map((id) => (wanted.has(id) ? '1' : '0'));
  return BigInt(`0b0${bits.reverse().join('')}`);
}

const shares = (one: SaleSet, other: SaleSet): boolean => (one & other) !== 0n;
const isWithin = (part: SaleSet, whole: SaleSet): boolean => (part & ~whole) === 0n;

/**
 * Some sales, and their unions with the sets that share any with them, with those that share any with these, and so on; null
 * where these are very many.
 */
function unionsFrom(own: SaleSet, sets: readonly SaleSet[]): SaleSet[] | null {
  const unions = new Set([own]);
  // What is put in meanwhile is come to, too.
  for (const union of unions)
    for (const set of sets) {
      if (!shares(set, union)) continue;
      unions.add(union | set);
      if (unions.size > UNIONS_MAX) return null;
    }
  return [...unions];
}

export const totalOf = (rows: readonly { amount: Units | null }[]): Units =>
  total(...rows.map(({ amount }) => amount ?? ZERO));

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
  const own = new Set(meant.map(({ id }) => id));
  const unions = unionsFrom(
    own,
    earlier.map(({ saleIds }) => saleIds),
  );
  if (!unions) {
    const before = earlier.filter(({ saleIds }) => saleIds.some((id) => own.has(id)));
    return total(totalOf(meant), -totalOf(before));
  }
  const paid = new Map([...sales, ...meant].map(({ id, amount }) => [id, amount ?? ZERO]));
  const lefts = unions.map((ids) => {
    const before = earlier.filter(({ saleIds }) => saleIds.every((id) => ids.has(id)));
    return total(...[...ids].map((id) => paid.get(id) ?? ZERO), -totalOf(before));
  });
  return lefts.reduce((least, left) => smaller(least, left));
}

/**
 * Some sales, and their unions with the sets that share any with them, with those that share any with these, and so on; null
 * where these are very many.
 */
function unionsFrom(
  own: ReadonlySet<string>,
  sets: readonly (readonly string[])[],
): ReadonlySet<string>[] | null {
  const unions = new Map([[[...own].sort().join(), own]]);
  // What is put in meanwhile is come to, too.
  for (const union of unions.values())
    for (const set of sets) {
      if (!set.some((id) => union.has(id)) || set.every((id) => union.has(id))) continue;
      const next = new Set([...union, ...set]);
      unions.set([...next].sort().join(), next);
      if (unions.size > UNIONS_MAX) return null;
    }
  return [...unions.values()];
}

export const totalOf = (rows: readonly { amount: Units | null }[]): Units =>
  total(...rows.map(({ amount }) => amount ?? ZERO));

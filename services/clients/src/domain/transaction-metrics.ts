import { total, type Units } from '@laurel/values/amount';

/** What a client bought so far: in all perhaps more than one purchase can be. */
export interface SpendingTotals {
  transactionCount: number;
  totalSpending: Units;
  lastTransactionAt: Date | null;
}

/** The totals after a purchase or refund. A refund lowers spending; it is no transaction of its own. */
export function applyTransaction<T extends SpendingTotals>(
  totals: T,
  { type, amount, at }: { type: string; amount: Units; at: Date },
): T {
  if (type === 'refund') {
    return { ...totals, totalSpending: total(totals.totalSpending, -amount) };
  }
  const last = totals.lastTransactionAt;
  return {
    ...totals,
    transactionCount: totals.transactionCount + 1,
    totalSpending: total(totals.totalSpending, amount),
    lastTransactionAt: last && last > at ? last : at,
  };
}

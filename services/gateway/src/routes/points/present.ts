import type { ledger } from '@laurel/rpc';
import { type Answer, data, replayed } from '../../routing';

/** An entry as part 1 shows it, with its place in the chain (part 3, section 4.2). */
export function presentEntry({
  wallet_type_id: _id,
  wallet_type_code: _code,
  ...entry
}: ledger.Entry): object {
  return entry;
}

export function presentReply({ entry, replayed: isReplay }: ledger.EntryReply): Answer {
  return replayed(data(presentEntry(entry!)), isReplay);
}

export function presentPage(page: ledger.EntryPage): Answer {
  return data(page.entries.map(presentEntry), {
    total_count: page.total_count,
    returned_count: page.entries.length,
    offset: page.offset,
    next_cursor: page.next_cursor ?? null,
  });
}

export function presentExplanation({ entry, ...rest }: ledger.Explanation): object {
  return {
    entry: presentEntry(entry!),
    ...rest,
    lots_made: rest.lots_made.map(presentShare),
    lots_consumed: rest.lots_consumed.map(presentShare),
  };
}

function presentShare({ lot_id, entry_id = null, amount, expires_at = null }: ledger.LotShare) {
  return { lot_id, entry_id, amount, expires_at };
}

/** What a refund would take back, beside the entries that there are none of. */
export function presentRefundQuote({ taken, ...sums }: ledger.PurchaseRefundQuote): object {
  return {
    entries: [],
    ...sums,
    taken: taken.map(({ wallet_type_code, amount: points, pending }) => ({
      wallet_type_code,
      points,
      pending,
    })),
  };
}

/** Buckets and wallet types only where they were asked for. */
export function presentSummary(
  { buckets, by_wallet_type, ...figures }: ledger.Summary,
  { group_by_time, wallet_type_code }: { group_by_time?: string; wallet_type_code?: string },
): object {
  return {
    ...figures,
    ...(group_by_time === undefined ? {} : { buckets }),
    ...(wallet_type_code === undefined ? { by_wallet_type } : {}),
  };
}

/** A statement as rows that a spreadsheet adds up: a figure and its amount each. */
export function statementAsCsv({ opening, closing, ...figures }: ledger.Statement): string {
  const balances = (name: string, values: object) =>
    Object.entries(values).map(([part, amount]) => [`${name}_${part}`, amount] as const);
  const { debts, wallets, ...movements } = figures;
  const rows = [
    ['figure', 'amount'],
    ...balances('opening', opening!),
    ...Object.entries(movements),
    ...balances('closing', closing!),
    ...Object.entries({ debts, wallets }),
  ];
  return rows.map((row) => `${row.join(',')}\r\n`).join('');
}

export function presentClientStatement({ entries, ...rest }: ledger.ClientStatement): object {
  return { ...rest, entries: entries.map(presentEntry) };
}

export type BatchItem = { entry: object } | { error: object };

export function presentBatchItem({ entry, error }: ledger.BatchResult): BatchItem {
  if (entry) return { entry: presentEntry(entry) };
  const { code, message, field, extensions } = error!;
  return {
    error: {
      message,
      extensions: { code, ...(field === undefined ? {} : { field }), ...(extensions as object) },
    },
  };
}

import type { ledger as api } from '@laurel/rpc';
import { add, toDecimal, toUnits, ZERO } from '@laurel/values/amount';

/** What the ledger says of the entries that were made. */

export interface BookedEntry {
  clientId: string;
  amount: number;
  at?: string;
  description?: string | undefined;
  metadata?: unknown;
}
type Book = ReadonlyMap<string, BookedEntry>;

export function entriesOf(
  book: Book,
  { client_id, from_date = '' }: Pick<api.ListEntriesRequest, 'client_id' | 'from_date'>,
): api.EntryPage {
  const own = [...book].filter(([, entry]) => entry.clientId === client_id);
  const all = own.map(([id, { amount, at, metadata }], index) => {
    const type = amount < 0 ? 'spend' : 'earn';
    const wallet = { wallet_type_code: 'points', sequence: index + 1 };
    return { id, type, amount, created_at: at, metadata, ...wallet } as api.Entry;
  });
  const entries = all.filter(({ created_at }) => created_at >= from_date);
  return { entries, total_count: entries.length, offset: 0, next_cursor: null };
}

export function headOf(book: Book, clientId: string): api.WalletHead {
  const { entries } = entriesOf(book, { client_id: clientId });
  const sumOf = (amounts: readonly number[]) => toDecimal(add(ZERO, ...amounts.map(toUnits)));
  const earned = entries.filter(({ type }) => type === 'earn');
  return {
    client_id: clientId,
    wallet_type_code: 'points',
    active_balance: sumOf(entries.map(({ amount }) => amount)),
    total_earned: sumOf(earned.map(({ amount }) => amount)),
    sequence: entries.length,
  } as api.WalletHead;
}

import type { ledger as api } from '@laurel/rpc';
import { add, toDecimal, toUnits, ZERO } from '@laurel/values/amount';

/** What the ledger says of the entries that were made. */

export interface BookedEntry {
  clientId: string;
  amount: number;
  /** The default one where it is absent. */
  walletTypeCode?: string | undefined;
  at?: string;
  description?: string | undefined;
  metadata?: unknown;
}
type Book = ReadonlyMap<string, BookedEntry>;
const DEFAULT_CODE = 'points';
export const WALLET_TYPES = [
  { code: DEFAULT_CODE, active: true },
  { code: 'stamps', active: true },
  { code: 'old', active: false },
] as api.WalletType[];

/** What a client has in all wallets; with what merged ones had, where that is asked for as well. */
export function entriesOf(
  book: Book,
  { client_id, from_date = '', with_merged }: Partial<api.ListEntriesRequest>,
  successors: ReadonlyMap<string, string>,
): api.EntryPage {
  const lengths = new Map<string, number>();
  const all = [...book].map(([id, { clientId, walletTypeCode: code, amount, at, metadata }]) => {
    const wallet = { client_id: clientId, wallet_type_code: code ?? DEFAULT_CODE };
    const key = Object.values(wallet).join(' ');
    const sequence = (lengths.get(key) ?? 0) + 1;
    lengths.set(key, sequence);
    const type = amount < 0 ? 'spend' : 'earn';
    return { id, type, amount, created_at: at, metadata, ...wallet, sequence } as api.Entry;
  });
  const isTheirs = ({ client_id: holder }: api.Entry) =>
    holder === client_id || (with_merged === true && successors.get(holder) === client_id);
  const entries = all.filter((entry) => isTheirs(entry) && entry.created_at >= from_date);
  return { entries, total_count: entries.length, offset: 0, next_cursor: null };
}

/** How the wallets of a client stand: the default one, and those that have entries. */
export function headsOf(
  book: Book,
  clientId: string,
  successors: ReadonlyMap<string, string>,
): api.WalletHead[] {
  const asked = { client_id: clientId, with_merged: true };
  const { entries } = entriesOf(book, asked, successors);
  const codes = new Set([DEFAULT_CODE, ...entries.map(({ wallet_type_code: code }) => code)]);
  return [...codes].map((code) =>
    headOf(
      clientId,
      code,
      entries.filter(({ wallet_type_code }) => wallet_type_code === code),
    ),
  );
}

function headOf(clientId: string, code: string, entries: readonly api.Entry[]): api.WalletHead {
  const sumOf = (amounts: readonly number[]) => toDecimal(add(ZERO, ...amounts.map(toUnits)));
  const earned = entries.filter(({ type }) => type === 'earn');
  return {
    client_id: clientId,
    wallet_type_code: code,
    active_balance: sumOf(entries.map(({ amount }) => amount)),
    total_earned: sumOf(earned.map(({ amount }) => amount)),
    sequence: entries.filter(({ client_id }) => client_id === clientId).length,
  } as api.WalletHead;
}

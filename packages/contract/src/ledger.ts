/** What an entry of the ledger does to a wallet (part 1, Points ledger entry). */
export const LEDGER_ENTRY_TYPES = [
  'earn',
  'spend',
  'expire',
  'cancel',
  'transfer_in',
  'transfer_out',
  'adjust',
  'lock',
  'unlock',
] as const;
export type LedgerEntryType = (typeof LEDGER_ENTRY_TYPES)[number];

export const LEDGER_ENTRY_STATUSES = [
  'active',
  'pending',
  'locked',
  'expired',
  'cancelled',
] as const;
export type LedgerEntryStatus = (typeof LEDGER_ENTRY_STATUSES)[number];

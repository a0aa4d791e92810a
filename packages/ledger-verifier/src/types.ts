/** Figures of a wallet in units of 1/10 000. */
export interface Figures {
  active: number;
  pending: number;
  locked: number;
  earned: number;
  spent: number;
  expired: number;
  moved: number;
}

export const FIGURES: readonly (keyof Figures)[] = [
  'active',
  'pending',
  'locked',
  'earned',
  'spent',
  'expired',
  'moved',
];

export interface EntryBody {
  _id: string;
  workspace_id: string;
  wallet_id: string;
  client_id: string;
  sequence: number;
  operation_id: string;
  claim?: string;
  type: string;
  amount: number;
  change: Figures;
  after: Figures;
  lots: { id: string; by: number; matures_at: number | null; expires_at: number | null }[];
  consumed: { id: string; amount: number }[];
  holds: { id: string; amount: number; parts: { amount: number }[] }[];
  caps: { max_balance: number | null; allow_negative: boolean; requested: number } | null;
  counterpart: { entry_id: string; wallet_id: string } | null;
  source_type: string;
  note_digest: string;
  created_at: string;
}

/** One line of an export. */
export interface ExportedEntry {
  body: EntryBody;
  prev_hash: string;
  hash: string;
  status: string;
  note: { salt: string; description: string | null; metadata: Record<string, unknown> } | null;
}

export interface Checkpoint {
  id: string;
  workspace_id: string;
  at: string;
  wallets: number;
  root: string;
  signature: string;
  key_id: string;
  public_key: string;
}

/** Something that does not hold. Without a wallet it concerns the whole. */
export interface Finding {
  wallet: string | null;
  sequence: number | null;
  problem: string;
}

export interface Report {
  /** Lines that are not empty, whatever they hold. */
  lines: number;
  entries: number;
  wallets: number;
  /** Wallets of which the export does not hold the beginning. */
  partial: number;
  findings: Finding[];
}

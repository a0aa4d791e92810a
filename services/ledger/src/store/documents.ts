import type { EntryStatus, EntryType } from '../domain/types';

/** Points in whole units of 1/10 000, as everywhere in this database. */
export interface FiguresDocument {
  active: number;
  pending: number;
  locked: number;
  earned: number;
  spent: number;
  expired: number;
  moved: number;
}

/** Times inside lots and holds are epoch milliseconds: they are hashed and compared, never queried. */
export interface LotRefDocument {
  id: string;
  made_at: number;
  sequence: number;
  expires_at: number | null;
}
export interface LotDocument extends LotRefDocument {
  remaining: number;
  matures_at: number | null;
}
export interface LotChangeDocument extends LotRefDocument {
  by: number;
  matures_at: number | null;
}
export interface PartDocument extends LotRefDocument {
  amount: number;
}
export interface HoldDocument {
  id: string;
  amount: number;
  expires_at: number;
  parts: PartDocument[];
  outcome: EntryStatus;
}
export interface CapsDocument {
  max_balance: number | null;
  allow_negative: boolean;
  requested: number;
}
export interface Counterpart {
  client_id: string;
  wallet_id: string;
  entry_id: string;
}

/** Free text of the caller, outside the hashed bytes: `salt` keys the digest that is inside them. */
export interface NoteDocument {
  salt: string;
  description: string | null;
  metadata: Record<string, unknown>;
}

/** Who and what led to an entry; becomes the envelope of its event. */
export interface CauseDocument {
  request_id: string;
  correlation_id: string;
  causation_id: string | null;
  chain: string[];
  depth: number;
  traceparent?: string;
  /** Stands for what was asked under the caller's Idempotency-Key, where there was one. */
  fingerprint?: string;
}

/** What the hash of an entry covers. Never changes once written. */
export interface EntryBody {
  _id: string;
  workspace_id: string;
  wallet_id: string;
  client_id: string;
  wallet_type_id: string;
  wallet_type_code: string;
  sequence: number;
  operation_id: string;
  claim?: string;
  type: EntryType;
  first_status: EntryStatus;
  amount: number;
  change: FiguresDocument;
  after: FiguresDocument;
  lots: LotChangeDocument[];
  consumed: PartDocument[];
  holds: HoldDocument[];
  marks: { entry_id: string; status: EntryStatus }[];
  caps: CapsDocument | null;
  closing: { successor: string | null } | null;
  counterpart: Counterpart | null;
  source_type: string;
  source_id: string | null;
  external_id: string | null;
  expires_at: Date | null;
  note_digest: string;
  actor_type: string;
  actor_id: string | null;
  created_at: Date;
}

/** An entry: the body, its place in the chain, and the few markers that may change around it. */
export interface EntryDocument extends EntryBody {
  prev_hash: string;
  hash: string;
  /** Marker: follows what later entries did to this one. */
  status: EntryStatus;
  /** When the entry was made that set `status` last, so that an older mark never undoes a newer one. */
  status_at: Date;
  /** null once the client was erased. */
  note: NoteDocument | null;
  cause: CauseDocument;
  /** There only until the relay has published the entry: what its partial index is made of. */
  unrelayed?: true;
}

/** A snapshot of a wallet's log at `sequence`. */
export interface WalletDocument {
  _id: string;
  workspace_id: string;
  client_id: string;
  wallet_type_id: string;
  wallet_type_code: string;
  sequence: number;
  hash: string;
  last_at: number;
  figures: FiguresDocument;
  closing: { successor: string | null } | null;
  /** null where there are many: then they are in a document of their own, which may be older. */
  lots: LotDocument[] | null;
  holds: HoldDocument[] | null;
  /**
   * When the wallet next does something by itself; while it is claimed for that, when the claim ends. Never where it is absent, or
   * null as in rows of earlier releases.
   */
  next_due_at?: Date | null;
  /** The claim of the worker that sees to what is due; the next snapshot ends it. */
  lease?: string;
}

/** The lots and holds of a wallet that has many, as they were at `sequence`. */
export interface WalletLotsDocument {
  _id: string;
  workspace_id: string;
  sequence: number;
  lots: LotDocument[];
  holds: HoldDocument[];
}

/** Names a wallet, whether or not it has an entry yet. */
export interface WalletRef {
  id: string;
  workspaceId: string;
  clientId: string;
  walletTypeId: string;
  walletTypeCode: string;
}

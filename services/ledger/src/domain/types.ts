import type {
  LedgerEntryStatus as EntryStatus,
  LedgerEntryType as EntryType,
} from '@laurel/contract';
import type { Units } from '@laurel/values/amount';

export type { EntryStatus, EntryType };

/** Where points came from. It travels with them through holds and spends, so that they can go back. */
export interface LotRef {
  /** The id of the entry that made the lot; `<id>.<nnnn>` where one entry made several. */
  readonly id: string;
  /** Epoch milliseconds; lots are used up oldest first. */
  readonly madeAt: number;
  /** Sequence of the entry that made it, which decides between lots of one millisecond. */
  readonly sequence: number;
  readonly expiresAt: number | null;
}

/** Points that came in together and are not used up yet. */
export interface Lot extends LotRef {
  readonly remaining: Units;
  /** When pending points become active; null once they are. */
  readonly maturesAt: number | null;
}

/** Some points of one lot. */
export interface Part {
  readonly lot: LotRef;
  readonly amount: Units;
}

/** Points set aside: they have left their lots and remember them. */
export interface Hold {
  /** The id of the lock entry. */
  readonly id: string;
  readonly amount: Units;
  readonly expiresAt: number;
  readonly parts: readonly Part[];
  /** What the lock entry becomes when the hold is released by itself: `active` once part was captured. */
  readonly outcome: EntryStatus;
}

/**
 * The figures of a wallet, or a change of them. Totals are net of refunds and cancels; `moved` is what
 * came in less what went out by transfers, so that always
 * earned + moved - spent - expired = active + pending + locked.
 */
export interface Figures {
  readonly active: Units;
  readonly pending: Units;
  readonly locked: Units;
  readonly earned: Units;
  readonly spent: Units;
  readonly expired: Units;
  readonly moved: Units;
}

/** What a wallet is worth after its first `sequence` entries. */
export interface Wallet {
  readonly sequence: number;
  /** Epoch milliseconds of the last entry; never runs backwards. */
  readonly lastAt: number;
  readonly figures: Figures;
  /** Open lots, oldest first. */
  readonly lots: readonly Lot[];
  readonly holds: readonly Hold[];
  /** Set by the last entry of a wallet whose client was merged or deleted. */
  readonly closing: Closing | null;
}

export interface Closing {
  /** The wallet that took everything over; null when the client was deleted. */
  readonly successor: string | null;
}

/** `by` more or fewer points in a lot, which stands at `maturesAt` afterwards. */
export interface LotChange {
  readonly lot: LotRef;
  readonly by: Units;
  readonly maturesAt: number | null;
}

/** The status of an earlier entry moves (part 3, section 4.2). */
export interface Mark {
  readonly entryId: string;
  readonly status: EntryStatus;
}

/** The limits in force when an entry was decided. */
export interface Caps {
  readonly maxBalance: Units | null;
  readonly allowNegative: boolean;
  /** What was asked for. */
  readonly requested: Units;
}

/** What the caller says about an entry; copied, never interpreted. */
export interface Note {
  readonly sourceType: string;
  readonly sourceId: string | null;
  readonly externalId: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An operation as decided, before the log has given it its place in the chain. */
export interface Draft extends Note {
  readonly type: EntryType;
  readonly status: EntryStatus;
  readonly amount: Units;
  readonly change: Partial<Figures>;
  readonly expiresAt: number | null;
  readonly lots: readonly LotChange[];
  /** The points that a debit used up, so that they can go back; what it took below zero is in no part. */
  readonly consumed: readonly Part[];
  /** Holds as they stand afterwards; one of amount 0 is gone. */
  readonly holds: readonly Hold[];
  readonly marks: readonly Mark[];
  readonly caps: Caps | null;
  readonly closing: Closing | null;
}

/** The entry-to-be: its id and time are given to the domain, which knows no clock. */
export interface Moment {
  readonly entryId: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** What a wallet type lays down for operations on its wallets. */
export interface Rules {
  readonly pendingDays: number | null;
  readonly expiryDays: number | null;
  readonly maxBalance: Units | null;
  readonly allowNegative: boolean;
}

/** A wallet under the rules of its type: what an operation that the rules bear on is decided on. */
export interface RuledWallet {
  readonly wallet: Wallet;
  readonly rules: Rules;
}

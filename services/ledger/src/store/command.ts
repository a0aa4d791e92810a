import type { Draft, Moment, Wallet } from '../domain/types';
import type { EntryDocument, WalletRef } from './documents';

/** Pure; throws refusals; null when there is nothing to do. May be asked again on a newer wallet. */
export type Decide = (wallet: Wallet, moment: Moment) => Draft | null;

/** Which wallet is asked to do something, and the names under which that takes effect once. */
interface Named {
  wallet: WalletRef;
  /** Takes effect once per workspace, however often it is repeated. */
  operationId: string;
  /** A second name under which it takes effect once: an external_id, or the entry it reverses. */
  claim?: string | undefined;
}

/** Something that one wallet is asked to do. */
export interface Command extends Named {
  decide: Decide;
}

/** The same, where it hangs on what was taken back of an earn before. */
export interface Reversal extends Named {
  /** The earn. */
  reverses: string;
  /**
   * Looks up what was taken back before. It is asked once it is known where the wallet stands: what comes in between takes the
   * place in the log, and the look is repeated. Null where there is nothing to do.
   */
  look: () => Promise<Decide | null>;
}

export interface Outcome {
  entry: EntryDocument;
  /** Set when the entry was there before: found by its operation, or by its claim alone. */
  replayed: 'operation' | 'claim' | null;
}

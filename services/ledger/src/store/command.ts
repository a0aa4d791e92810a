import type { Draft, Moment, Wallet } from '../domain/types';
import type { EntryDocument, WalletRef } from './documents';

/** Something that one wallet is asked to do. */
export interface Command {
  wallet: WalletRef;
  /** Takes effect once per workspace, however often it is repeated. */
  operationId: string;
  /** A second name under which it takes effect once: an external_id, or the entry it reverses. */
  claim?: string | undefined;
  /** Pure; throws refusals; null when there is nothing to do. May be asked again on a newer wallet. */
  decide: (wallet: Wallet, moment: Moment) => Draft | null;
}

export interface Outcome {
  entry: EntryDocument;
  /** Set when the entry was there before: found by its operation, or by its claim alone. */
  replayed: 'operation' | 'claim' | null;
}

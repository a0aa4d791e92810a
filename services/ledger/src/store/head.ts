import type { Wallet } from '../domain/types';
import type { WalletRef } from './documents';

/** A wallet at the head of its log. */
export interface Head {
  ref: WalletRef;
  wallet: Wallet;
  hash: string;
}

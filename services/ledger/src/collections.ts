import { ofEveryService } from '@laurel/backend';
import type { Declared } from '@laurel/mongo';
import { checkpointParts } from './store/checkpoint-parts';
import { checkpoints, signingKeys } from './store/checkpoints';
import { dailySums } from './store/daily-sums';
import { entries } from './store/entries';
import { loyaltyConfigs } from './store/loyalty-configs';
import { purchaseRefunds } from './store/purchase-refunds';
import { walletLots } from './store/wallet-lots';
import { walletTypes } from './store/wallet-types';
import { wallets } from './store/wallets';

/** Everything that the ledger keeps; wallet types go first, so that no client earns meanwhile. */
export const collections: readonly Declared[] = [
  walletTypes,
  entries,
  wallets,
  walletLots,
  loyaltyConfigs,
  purchaseRefunds,
  checkpoints,
  checkpointParts,
  dailySums,
  signingKeys,
  ...ofEveryService,
];

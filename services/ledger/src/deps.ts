import type { Outbox } from '@laurel/events';
import type { Logger } from '@laurel/lifecycle';
import type { Connection, Declared } from '@laurel/mongo';
import type { ReferenceDirectory } from '@laurel/rpc';
import type { CheckpointPartStore } from './store/checkpoint-parts';
import type { CheckpointStore } from './store/checkpoints';
import type { DailySums } from './store/daily-sums';
import type { EntryStore } from './store/entries';
import type { EntryTotals } from './store/entry-totals';
import type { Figures } from './store/figures';
import type { Heads } from './store/heads';
import type { Log } from './store/log';
import type { LoyaltyConfigStore } from './store/loyalty-configs';
import type { PurchaseRefundStore } from './store/purchase-refunds';
import type { Signer } from './store/signer';
import type { Snapshots } from './store/snapshots';
import type { Standings } from './store/standings';
import type { WalletTypeStore } from './store/wallet-types';
import type { WalletStore } from './store/wallets';

/** What the use cases work with; made once, in service.ts. */
export interface Deps {
  connection: Connection;
  collections: readonly Declared[];
  outbox: Pick<Outbox, 'append'>;
  configs: LoyaltyConfigStore;
  walletTypes: WalletTypeStore;
  standings: Standings;
  references: ReferenceDirectory;
  entries: EntryStore;
  entryTotals: EntryTotals;
  dailySums: DailySums;
  wallets: WalletStore;
  heads: Heads;
  figures: Figures;
  snapshots: Snapshots;
  refunds: PurchaseRefundStore;
  checkpoints: CheckpointStore;
  checkpointParts: CheckpointPartStore;
  signer: Signer;
  checkpointIntervalMs: number;
  checkpointMarginMs: number;
  log: Log;
  logger: Logger;
  /** Epoch milliseconds, by the clock of the workspace named or else of the one that the work going on is for. */
  now: (workspaceId?: string) => number;
}

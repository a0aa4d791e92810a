import type { Outbox } from '@laurel/events';
import { type Logger, workspaceClock } from '@laurel/lifecycle';
import type { Connection } from '@laurel/mongo';
import type { ReferenceDirectory } from '@laurel/rpc';
import { collections } from './collections';
import type { Deps } from './deps';
import { createCheckpointPartStore } from './store/checkpoint-parts';
import { createCheckpointStore } from './store/checkpoints';
import { createDailySums } from './store/daily-sums';
import { createEntryStore } from './store/entries';
import { createEntryTotals } from './store/entry-totals';
import { createFigures } from './store/figures';
import { createHeads } from './store/heads';
import { createLog } from './store/log';
import { createLoyaltyConfigStore } from './store/loyalty-configs';
import { createPurchaseRefundStore } from './store/purchase-refunds';
import { createSigner } from './store/signer';
import { createSnapshots } from './store/snapshots';
import type { Standings } from './store/standings';
import { createTypeUses } from './store/type-uses';
import { createWalletTypeStore } from './store/wallet-types';
import { createWalletStore } from './store/wallets';

export interface Surroundings {
  connection: Connection;
  outbox: Pick<Outbox, 'append'>;
  standings: Standings;
  references: ReferenceDirectory;
  logger: Logger;
  now?: Deps['now'];
  signingKey?: string | undefined;
  checkpointIntervalMs?: number;
  checkpointMarginMs?: number;
  hourlyCheckpointsMs?: number;
}

const HOURLY_CHECKPOINTS_MS = 90 * 86_400_000;

/** Makes everything the use cases need, each part once, in order. Tests use the same. */
export async function assemble(around: Surroundings): Promise<Deps> {
  const { connection, outbox, standings, references, logger } = around;
  const now = around.now ?? ((workspaceId) => workspaceClock.now(workspaceId).getTime());
  const entries = createEntryStore(connection);
  const wallets = createWalletStore(connection);
  const heads = createHeads({ entries, wallets });
  const snapshots = createSnapshots({ wallets, heads, logger });
  const walletTypes = createWalletTypeStore(connection);
  const typeUses = createTypeUses({ walletTypes, now });
  const log = createLog({ connection, entries, heads, snapshots, typeUses, logger, now });
  const { hourlyCheckpointsMs = HOURLY_CHECKPOINTS_MS } = around;
  const checkpoints = createCheckpointStore(connection, hourlyCheckpointsMs);
  return {
    connection,
    collections,
    outbox,
    standings,
    references,
    logger,
    now,
    entries,
    entryTotals: createEntryTotals(connection, entries),
    dailySums: createDailySums(connection, entries, now),
    wallets,
    heads,
    figures: createFigures({ entries, wallets }),
    snapshots,
    log,
    checkpoints,
    checkpointParts: createCheckpointPartStore(connection),
    configs: createLoyaltyConfigStore(connection),
    walletTypes,
    refunds: createPurchaseRefundStore(connection),
    signer: await createSigner(around.signingKey, checkpoints),
    checkpointIntervalMs: around.checkpointIntervalMs ?? 3_600_000,
    checkpointMarginMs: around.checkpointMarginMs ?? 60_000,
  };
}

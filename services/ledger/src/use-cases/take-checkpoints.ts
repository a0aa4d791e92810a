import { newId } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import type { WalletDocument } from '../store/documents';
import { type ChainHead, checkpointText, merkleRoot } from '../store/merkle';
import { ledgerMetrics } from '../store/metrics';

/**
 * Signs where every wallet of every workspace stood at the last full hour, or whatever the interval is, once per
 * workspace and hour. Taken a while after the hour, when no write of that hour can still be under way, so that the same
 * root follows from the log for ever after. For the same reason a workspace that had no entry by then never will have
 * one: `empty` remembers when that was found, which spares a new workspace a look at all its wallets each time.
 */
export async function takeCheckpoints(
  deps: Deps,
  empty: Map<string, number> = new Map(),
): Promise<undefined> {
  const { checkpointIntervalMs: interval, checkpointMarginMs: margin } = deps;
  const at = new Date(Math.floor((deps.now() - margin) / interval) * interval);
  const taken = await deps.checkpoints.having(at);
  const all = await deps.wallets.collection.distinct('workspace_id', {});
  for (const [workspaceId, emptyAt] of empty)
    if (emptyAt !== at.getTime()) empty.delete(workspaceId);
  for (const workspaceId of all as string[]) {
    if (taken.has(workspaceId) || empty.has(workspaceId)) continue;
    if (!(await takeCheckpoint(deps, workspaceId, at))) empty.set(workspaceId, at.getTime());
  }
  ledgerMetrics.checkpointAt.set(at.getTime() / 1_000);
}

/** False where there was nothing yet to sign. */
export async function takeCheckpoint(deps: Deps, workspaceId: string, at: Date): Promise<boolean> {
  const heads = await headsAt(deps, workspaceId, at);
  if (heads.length === 0) return false;
  const checkpoint = {
    id: newId(),
    workspaceId,
    at,
    wallets: heads.length,
    root: merkleRoot(heads),
  };
  const { signer } = deps;
  await deps.checkpoints.insert({
    _id: checkpoint.id,
    workspace_id: workspaceId,
    at,
    wallets: checkpoint.wallets,
    root: checkpoint.root,
    signature: signer.sign(checkpointText(checkpoint)),
    key_id: signer.keyId,
    public_key: signer.publicKey,
  });
  return true;
}

/** The last entry by `at` of every wallet: the snapshot's, unless the wallet has moved on or its snapshot lags. */
async function headsAt(
  { entries, wallets }: Deps,
  workspaceId: string,
  at: Date,
): Promise<ChainHead[]> {
  const snapshots = await wallets.collection
    .find({ workspace_id: workspaceId })
    .project<Pick<WalletDocument, '_id' | 'sequence' | 'hash' | 'last_at'>>({
      sequence: 1,
      hash: 1,
      last_at: 1,
    })
    .batchSize(100_000)
    .toArray();
  const lagging = new Set(await entries.unrelayedWallets(workspaceId));
  const heads: ChainHead[] = [];
  for (const { _id, sequence, hash, last_at } of snapshots) {
    if (last_at <= at.getTime() && !lagging.has(_id)) {
      heads.push({ walletId: _id, sequence, hash });
      continue;
    }
    const last = await entries.lastBy(workspaceId, _id, sequence, at);
    if (last) heads.push({ walletId: _id, sequence: last.sequence, hash: last.hash });
  }
  return heads;
}

import { newId } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import { type ChainHead, checkpointText, createMerkleTree } from '../store/merkle';
import { ledgerMetrics } from '../store/metrics';

/**
 * Signs where every wallet of every workspace stood at the last full hour, or whatever the interval is, once per
 * workspace and hour. Taken a while after the hour, when no write of that hour can still be under way, so that the same
 * root follows from the log for ever after. For the same reason a workspace that had no entry by then never will have
 * one: `empty` remembers when that was found, which spares a new workspace a look at all its wallets each time.
 *
 * A fault in one workspace keeps no other from its checkpoint; rejects with what failed once all had their turn.
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
  const failures: unknown[] = [];
  for (const workspaceId of all as string[]) {
    if (taken.has(workspaceId) || empty.has(workspaceId)) continue;
    try {
      if (!(await takeCheckpoint(deps, workspaceId, at))) empty.set(workspaceId, at.getTime());
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} workspaces have no checkpoint yet`);
  ledgerMetrics.checkpointAt.set(at.getTime() / 1_000);
}

/** False where there was nothing yet to sign. */
export async function takeCheckpoint(deps: Deps, workspaceId: string, at: Date): Promise<boolean> {
  const tree = createMerkleTree();
  for await (const head of headsAt(deps, workspaceId, at)) tree.add(head);
  if (tree.count === 0) return false;
  const checkpoint = { id: newId(), workspaceId, at, wallets: tree.count, root: tree.root() };
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

/**
 * The last entry by `at` of every wallet, in order of their ids: the snapshot's, unless the wallet has moved on, its
 * snapshot lags or it has none yet. What lags is read first: an entry that the relay has marked by then stands in the
 * snapshot that is read afterwards, and what is written later is younger than `at`.
 */
async function* headsAt(deps: Deps, workspaceId: string, at: Date): AsyncGenerator<ChainHead> {
  for await (const page of inPages(endsBy(deps, workspaceId, at))) {
    const near = page.flatMap((one) => ('near' in one ? [[one.walletId, one.near] as const] : []));
    const last =
      near.length === 0
        ? new Map<string, never>()
        : await deps.entries.lastOfEachBy(workspaceId, new Map(near), at);
    for (const one of page) {
      if (!('near' in one)) yield one;
      else {
        const entry = last.get(one.walletId);
        if (entry) yield { walletId: one.walletId, sequence: entry.sequence, hash: entry.hash };
      }
    }
  }
}

/** A wallet whose last entry by the time is to be looked for in the log, and a sequence that it is near. */
interface Unsure {
  walletId: string;
  near: number;
}

async function* endsBy(
  { entries, wallets }: Deps,
  workspaceId: string,
  at: Date,
): AsyncGenerator<ChainHead | Unsure> {
  const lagging = (await entries.unrelayedWallets(workspaceId)).sort();
  let next = 0;
  for await (const { _id: walletId, sequence, hash, last_at } of wallets.ends(workspaceId)) {
    while (next < lagging.length && lagging[next]! < walletId)
      yield { walletId: lagging[next++]!, near: 0 };
    const lags = lagging[next] === walletId;
    if (lags) next += 1;
    if (last_at <= at.getTime() && !lags) yield { walletId, sequence, hash };
    else yield { walletId, near: sequence };
  }
  for (const walletId of lagging.slice(next)) yield { walletId, near: 0 };
}

const PAGE = 500;

async function* inPages<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item[]> {
  let page: Item[] = [];
  for await (const item of items) {
    page.push(item);
    if (page.length < PAGE) continue;
    yield page;
    page = [];
  }
  yield page;
}

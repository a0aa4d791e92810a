import { inPages, newId } from '@laurel/lifecycle';
import type { Deps } from '../deps';
import type { CheckpointPart } from '../store/checkpoint-parts';
import {
  type ChainHead,
  checkpointText,
  createLeaves,
  createMerkleTree,
  type MerkleTree,
} from '../store/merkle';

/**
 * Reads a part of a checkpoint. Who keeps the last of its parts finds all of them kept, and signs; so may two who keep theirs
 * at once, and the store takes one of both. A part stays in hand until then: where its worker dies, the next one goes on.
 */
export async function takeCheckpointPart(deps: Deps, part: CheckpointPart): Promise<void> {
  const { checkpointParts } = deps;
  const tree = part.parts === 1 ? await treeOfOne(deps, part) : await treeOfAll(deps, part);
  if (tree === null || tree.count === 0) {
    await checkpointParts.due.finish(part);
    return;
  }
  await sign(deps, part, tree);
  await checkpointParts.end(part);
}

async function treeOfOne(deps: Deps, part: CheckpointPart): Promise<MerkleTree> {
  const tree = createMerkleTree();
  tree.add(await readLeaves(deps, part));
  return tree;
}

/** Null where others are still reading, or the checkpoint was signed meanwhile. */
async function treeOfAll(deps: Deps, part: CheckpointPart): Promise<MerkleTree | null> {
  const { checkpointParts } = deps;
  if (!part.isKept && !(await checkpointParts.keep(part, await readLeaves(deps, part))))
    return null;
  if (await checkpointParts.isUnread(part)) return null;
  const tree = createMerkleTree();
  let read = 0;
  for await (const leaves of checkpointParts.leavesOf(part)) {
    tree.add(leaves);
    read += 1;
  }
  return read === part.parts ? tree : null;
}

async function readLeaves(deps: Deps, part: CheckpointPart): Promise<Buffer> {
  const leaves = createLeaves();
  for await (const head of headsOf(deps, part)) leaves.add(head);
  return leaves.bytes();
}

async function sign(deps: Deps, part: CheckpointPart, tree: MerkleTree): Promise<void> {
  const { workspaceId, at } = part;
  const { signer } = deps;
  const checkpoint = { id: newId(), workspaceId, at, wallets: tree.count, root: tree.root() };
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
}

/** Wallets that are looked up in the log at once. */
const PAGE = 500;

/**
 * The last entry by `at` of every wallet of a part, in order of their ids: the snapshot's, unless the wallet has moved on, its
 * snapshot lags or it has none yet. What lags is read first: an entry that the relay has marked by then stands in the
 * snapshot that is read afterwards, and what is written later is younger than `at`.
 */
async function* headsOf(deps: Deps, part: CheckpointPart): AsyncGenerator<ChainHead> {
  const { workspaceId, at } = part;
  for await (const page of inPages(endsBy(deps, part), PAGE)) {
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
  { workspaceId, at, range }: CheckpointPart,
): AsyncGenerator<ChainHead | Unsure> {
  const lagging = (await entries.unrelayedWithin({ workspaceId }, range)).sort();
  let next = 0;
  for await (const { _id: walletId, sequence, hash, last_at } of wallets.ends(workspaceId, range)) {
    while (next < lagging.length && lagging[next]! < walletId)
      yield { walletId: lagging[next++]!, near: 0 };
    const lags = lagging[next] === walletId;
    if (lags) next += 1;
    if (last_at <= at.getTime() && !lags) yield { walletId, sequence, hash };
    else yield { walletId, near: sequence };
  }
  for (const walletId of lagging.slice(next)) yield { walletId, near: 0 };
}

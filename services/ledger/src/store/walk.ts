import type { EntryDocument, WalletDocument } from './documents';
import { type EntryStore, UNRELAYED } from './entries';
import type { WalletStore } from './wallets';

const WALLETS_PER_READ = 200;
const ENTRIES_PER_READ = 5_000;
/** Sequences read at a time for a batch of wallets; longer ones are read on alone. */
const SEQUENCES_PER_WALLET = 200;

export interface WalletScope {
  workspaceId: string;
  clientId?: string | undefined;
  walletTypeId?: string | undefined;
}

/** Some entries of one wallet, in order, following those of the chunk before. */
export interface Chunk {
  walletId: string;
  /** The wallet's snapshot, read before its entries; null where there is none yet. */
  snapshot: WalletDocument | null;
  entries: EntryDocument[];
  /** True on the last chunk of a wallet. */
  last: boolean;
}

/** Walks the logs of many wallets, one after the other, each in order, in memory that does not grow. */
export async function* walkLogs(
  stores: { entries: EntryStore; wallets: WalletStore },
  scope: WalletScope,
): AsyncGenerator<Chunk> {
  const ids = await walletIdsOf(stores, scope);
  for (let at = 0; at < ids.length; at += WALLETS_PER_READ) {
    const batch = ids.slice(at, at + WALLETS_PER_READ);
    const snapshots = new Map(
      (await stores.wallets.findMany(batch)).map((wallet) => [wallet._id, wallet]),
    );
    const starts = await firstEntries(stores.entries, scope.workspaceId, batch);
    for (const walletId of batch) {
      const snapshot = snapshots.get(walletId) ?? null;
      const entries = starts.get(walletId) ?? [];
      const last = entries.length < SEQUENCES_PER_WALLET;
      yield { walletId, snapshot, entries, last };
      if (!last) yield* rest(stores.entries, scope.workspaceId, { walletId, snapshot });
    }
  }
}

/**
 * Every wallet of the scope with an entry: it has a snapshot, or an entry that is not relayed yet. The latter are looked for first: what
 * has been relayed by then stands in a snapshot.
 */
async function walletIdsOf(
  { entries, wallets }: { entries: EntryStore; wallets: WalletStore },
  { workspaceId, clientId, walletTypeId }: WalletScope,
): Promise<string[]> {
  const scope = {
    workspace_id: workspaceId,
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(walletTypeId === undefined ? {} : { wallet_type_id: walletTypeId }),
  };
  const fresh = await entries.collection
    .find({ unrelayed: true, ...scope }, { hint: UNRELAYED })
    .project<{ wallet_id: string }>({ _id: 0, wallet_id: 1 })
    .batchSize(100_000)
    .toArray();
  const snapshots = await wallets.collection
    .find(scope)
    .project<{ _id: string }>({ _id: 1 })
    .batchSize(100_000)
    .toArray();
  const ids = [...snapshots.map(({ _id }) => _id), ...fresh.map(({ wallet_id }) => wallet_id)];
  return [...new Set(ids)].sort();
}

async function firstEntries(
  { collection }: EntryStore,
  workspaceId: string,
  walletIds: string[],
): Promise<Map<string, EntryDocument[]>> {
  const found = await collection
    .find({
      workspace_id: workspaceId,
      wallet_id: { $in: walletIds },
      sequence: { $lte: SEQUENCES_PER_WALLET },
    })
    .batchSize(WALLETS_PER_READ * SEQUENCES_PER_WALLET)
    .toArray();
  const byWallet = new Map<string, EntryDocument[]>();
  for (const entry of found) {
    const known = byWallet.get(entry.wallet_id);
    if (known) known.push(entry);
    else byWallet.set(entry.wallet_id, [entry]);
  }
  for (const entries of byWallet.values()) entries.sort((a, b) => a.sequence - b.sequence);
  return byWallet;
}

async function* rest(
  { collection }: EntryStore,
  workspaceId: string,
  { walletId, snapshot }: Pick<Chunk, 'walletId' | 'snapshot'>,
): AsyncGenerator<Chunk> {
  for (let from = SEQUENCES_PER_WALLET; ; from += ENTRIES_PER_READ) {
    const to = from + ENTRIES_PER_READ;
    const entries = await collection
      .find({
        workspace_id: workspaceId,
        wallet_id: walletId,
        sequence: { $gt: from, $lte: to },
      })
      .sort({ sequence: 1 })
      .batchSize(ENTRIES_PER_READ + 1)
      .toArray();
    const last = entries.length < ENTRIES_PER_READ;
    yield { walletId, snapshot, entries, last };
    if (last) return;
  }
}

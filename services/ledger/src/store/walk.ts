import type { EntryDocument, WalletDocument } from './documents';
import type { EntryStore } from './entries';
import type { WalletScope } from './wallet-range';
import type { WalletStore } from './wallets';

const IDS_AT_ONCE = 10_000;
const WALLETS_PER_READ = 200;

interface Stores {
  entries: Pick<EntryStore, 'ofWallets' | 'unrelayedWithin'>;
  wallets: Pick<WalletStore, 'cutAfter' | 'findMany' | 'idsWithin'>;
}

/** The next entry of a wallet, or that there is none. */
interface Step {
  walletId: string;
  /** The wallet's snapshot, read before its entries; null where there is none yet. */
  snapshot: WalletDocument | null;
  /** null behind the last one. */
  entry: EntryDocument | null;
}

/**
 * Walks the logs of many wallets, one after the other in the order of their ids, each in order. However many wallets there are and
 * whatever their entries hold: a page of ids, the snapshots of some of them and one batch of entries is held at a time.
 */
export async function* walkLogs(
  stores: Stores,
  scope: WalletScope,
  idsAtOnce = IDS_AT_ONCE,
): AsyncGenerator<Step> {
  for await (const ids of idsOf(stores, scope, idsAtOnce))
    for (let at = 0; at < ids.length; at += WALLETS_PER_READ)
      yield* walkSome(stores, scope.workspaceId, ids.slice(at, at + WALLETS_PER_READ));
}

async function* walkSome(
  { entries, wallets }: Stores,
  workspaceId: string,
  walletIds: readonly string[],
): AsyncGenerator<Step> {
  const found = await wallets.findMany(walletIds);
  const snapshots = new Map(found.map((wallet) => [wallet._id, wallet]));
  const step = (walletId: string, entry: EntryDocument | null): Step => ({
    walletId,
    snapshot: snapshots.get(walletId) ?? null,
    entry,
  });
  let at = 0;
  for await (const entry of entries.ofWallets(workspaceId, walletIds)) {
    while (at < walletIds.length && walletIds[at] !== entry.wallet_id) {
      yield step(walletIds[at]!, null);
      at += 1;
    }
    yield step(entry.wallet_id, entry);
  }
  for (const walletId of walletIds.slice(at)) yield step(walletId, null);
}

/**
 * Every wallet of the scope with an entry, in pages in the order of their ids: it has a snapshot, or an entry that is not relayed
 * yet. The latter are looked for first: what has been relayed by then stands in a snapshot.
 */
async function* idsOf(
  { entries, wallets }: Stores,
  scope: WalletScope,
  idsAtOnce: number,
): AsyncGenerator<string[]> {
  let after = '';
  for (;;) {
    // A client has few, and in the order of ids a store might look through those of all others for them.
    const through =
      scope.clientId === undefined ? await wallets.cutAfter(scope, after, idsAtOnce) : null;
    const range = { after, through };
    const fresh = await entries.unrelayedWithin(scope, range);
    const known = await wallets.idsWithin(scope, range);
    yield [...new Set([...known, ...fresh])].sort();
    if (through === null) return;
    after = through;
  }
}

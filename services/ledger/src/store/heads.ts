import type { Wallet } from '../domain/types';
import { applyEffect, EMPTY_WALLET } from '../domain/wallet';
import { GENESIS_HASH } from './chain';
import type { WalletRef } from './documents';
import type { EntryStore } from './entries';
import type { Head } from './head';
import { toEffect, toFigures, toWallet } from './mapping';
import type { StoredWallet, WalletStore } from './wallets';

const CACHED_MAX = 20_000;

export type Heads = ReturnType<typeof createHeads>;

/**
 * Where wallets stand. `likely` answers from memory or the snapshot and may lag behind other replicas: good
 * enough to say yes, since the log's unique index refuses what was decided on an old head. `proven`
 * reads the tail of the log: what a no must rest on.
 */
export function createHeads({ entries, wallets }: { entries: EntryStore; wallets: WalletStore }) {
  /** In order of use, the longest unused first. */
  const cache = new Map<string, Head>();

  function remember(head: Head): void {
    const known = cache.get(head.ref.id);
    if (known && known.wallet.sequence > head.wallet.sequence) return;
    cache.delete(head.ref.id);
    cache.set(head.ref.id, head);
    if (cache.size > CACHED_MAX) cache.delete(cache.keys().next().value!);
  }

  async function load(ref: WalletRef, stored: StoredWallet | undefined, prove: boolean) {
    const base = headOf(ref, stored);
    const complete = stored === undefined || stored.lots.sequence === stored.wallet.sequence;
    return complete && !prove ? base : replay(base, stored?.lots.sequence ?? 0, entries);
  }

  async function loadAll(refs: readonly WalletRef[], prove: boolean): Promise<Head[]> {
    const stored = await wallets.load(refs.map(({ id }) => id));
    const byId = new Map(stored.map((one) => [one.wallet._id, one]));
    const heads = await Promise.all(refs.map((ref) => load(ref, byId.get(ref.id), prove)));
    for (const head of heads) remember(head);
    return heads;
  }

  return {
    remember,
    forget: (walletId: string): void => void cache.delete(walletId),

    async likely(refs: readonly WalletRef[]): Promise<Map<string, Head>> {
      const missing = refs.filter(({ id }) => !cache.has(id));
      const known = refs.flatMap(({ id }) => cache.get(id) ?? []);
      const loaded = missing.length === 0 ? [] : await loadAll(missing, false);
      return new Map([...known, ...loaded].map((head) => [head.ref.id, head]));
    },

    async proven(refs: readonly WalletRef[]): Promise<Map<string, Head>> {
      const loaded = refs.length === 0 ? [] : await loadAll(refs, true);
      return new Map(loaded.map((head) => [head.ref.id, head]));
    },

    /** Drops what a deleted workspace leaves in memory. */
    clear: (): void => cache.clear(),
  };
}

function headOf(ref: WalletRef, stored: StoredWallet | undefined): Head {
  if (!stored) return { ref, wallet: EMPTY_WALLET, hash: GENESIS_HASH };
  return { ref, wallet: toWallet(stored.wallet, stored.lots), hash: stored.wallet.hash };
}

/**
 * Replays what the log holds beyond a snapshot, or beyond its lots. Lots that are kept apart are read and written at
 * another moment than the snapshot and may be older or newer than it: an entry acts on whichever does not know it.
 */
async function replay(base: Head, lotsSequence: number, entries: EntryStore): Promise<Head> {
  const { ref } = base;
  const from = Math.min(base.wallet.sequence, lotsSequence);
  let wallet: Wallet = { ...base.wallet, sequence: from };
  let { hash } = base;
  for (const entry of await entries.tail(ref.workspaceId, ref.id, from)) {
    const effect = toEffect(entry);
    const unknown = entry.sequence > lotsSequence ? effect : { ...effect, lots: [], holds: [] };
    const after = applyEffect(wallet, unknown, entry.created_at.getTime());
    // Each entry says what the figures are after it, whether the snapshot knew it or not.
    wallet = { ...after, figures: toFigures(entry.after) };
    hash = entry.hash;
  }
  return { ref, wallet, hash };
}

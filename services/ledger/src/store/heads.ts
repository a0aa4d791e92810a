import { applyEffect, EMPTY_WALLET } from '../domain/wallet';
import { GENESIS_HASH } from './chain';
import type { WalletDocument, WalletRef } from './documents';
import type { EntryStore } from './entries';
import { toEffect, toFigures, toWallet } from './mapping';
import type { Head, WalletStore } from './wallets';

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

  async function load(ref: WalletRef, snapshot: WalletDocument | undefined, prove: boolean) {
    const base = headOf(ref, snapshot);
    const complete = snapshot === undefined || snapshot.lots_sequence === snapshot.sequence;
    return complete && !prove ? base : replay(base, entries);
  }

  async function loadAll(refs: readonly WalletRef[], prove: boolean): Promise<Head[]> {
    const stored = await wallets.findMany(refs.map(({ id }) => id));
    const byId = new Map(stored.map((wallet) => [wallet._id, wallet]));
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

    /** The snapshot of a wallet now holds its lots as of `sequence`. */
    lotsWritten(walletId: string, sequence: number): void {
      const head = cache.get(walletId);
      if (head && head.lotsSequence < sequence) head.lotsSequence = sequence;
    },

    /** Drops what a deleted workspace leaves in memory. */
    clear: (): void => cache.clear(),
  };
}

function headOf(ref: WalletRef, snapshot: WalletDocument | undefined): Head {
  if (!snapshot) return { ref, wallet: EMPTY_WALLET, hash: GENESIS_HASH, lotsSequence: 0 };
  return {
    ref,
    wallet: toWallet(snapshot),
    hash: snapshot.hash,
    lotsSequence: snapshot.lots_sequence,
  };
}

/** Replays what the log holds beyond a head. */
async function replay(base: Head, entries: EntryStore): Promise<Head> {
  const { ref, lotsSequence } = base;
  const tail = await entries.tail(ref.workspaceId, ref.id, base.wallet.sequence);
  let { wallet, hash } = base;
  for (const entry of tail) {
    const after = applyEffect(wallet, toEffect(entry), entry.created_at.getTime());
    // The snapshot's figures may be ahead of its lots; each entry says what they are after it.
    wallet = { ...after, figures: toFigures(entry.after) };
    hash = entry.hash;
  }
  return { ref, wallet, hash, lotsSequence };
}

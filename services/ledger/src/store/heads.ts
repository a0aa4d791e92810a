import { groupBy } from '@laurel/lifecycle';
import { applyLotChanges } from '../domain/lots';
import type { LotChange, Wallet } from '../domain/types';
import { applyEffect, EMPTY_WALLET } from '../domain/wallet';
import { GENESIS_HASH } from './chain';
import type { EntryDocument, WalletRef } from './documents';
import type { EntryStore } from './entries';
import type { Head } from './head';
import { toEffect, toFigures, toWallet } from './mapping';
import type { StoredWallet, WalletStore } from './wallets';

const CACHED_MAX = 20_000;
/** What was true so lately is not asked again: another replica would have had to write the wallet since. */
const FRESH_MS = 100;
/** After a place was lost, other replicas are held to write the same wallets for so long. */
const SHARED_MS = 60_000;

export type Heads = ReturnType<typeof createHeads>;

/**
 * Where wallets stand. `likely` answers from memory or the snapshot and may lag behind other replicas: good
 * enough to say yes, since the log's unique index refuses what was decided on an old head. `proven`
 * reads the tail of the log: what a no must rest on.
 *
 * A lost place costs a second flight, and with several replicas memory is old for most wallets. While places are lost,
 * `likely` compares what it remembers with the snapshots first, all wallets of a flight in one question.
 */
export function createHeads({
  entries,
  wallets,
  freshMs = FRESH_MS,
}: {
  entries: EntryStore;
  wallets: WalletStore;
  freshMs?: number;
}) {
  /** In order of use, the longest unused first; each with the time at which it was true. */
  const cache = new Map<string, { head: Head; at: number }>();
  let sharedUntil = 0;

  function remember(head: Head): void {
    const known = cache.get(head.ref.id);
    if (known && known.head.wallet.sequence > head.wallet.sequence) return;
    cache.delete(head.ref.id);
    cache.set(head.ref.id, { head, at: performance.now() });
    if (cache.size > CACHED_MAX) cache.delete(cache.keys().next().value!);
  }

  /** Forgets those wallets that have moved on since they were remembered. */
  async function forgetOvertaken(refs: readonly WalletRef[]): Promise<void> {
    const now = performance.now();
    if (now > sharedUntil) return;
    const doubtful = refs.flatMap(({ id }) => {
      const known = cache.get(id);
      return known && known.at + freshMs <= now ? known.head : [];
    });
    if (doubtful.length === 0) return;
    const reached = await wallets.sequences(doubtful.map(({ ref }) => ref.id));
    for (const { ref, wallet } of doubtful)
      if ((reached.get(ref.id) ?? 0) > wallet.sequence) cache.delete(ref.id);
  }

  async function loadAll(refs: readonly WalletRef[], prove: boolean): Promise<Head[]> {
    const stored = await wallets.load(refs.map(({ id }) => id));
    const byId = new Map(stored.map((one) => [one.wallet._id, one]));
    const bases = refs.map((ref) => baseOf(ref, byId.get(ref.id)));
    const open = bases.filter(
      ({ head, lotsSequence }) => prove || lotsSequence !== head.wallet.sequence,
    );
    const tails = await tailsOf(open, entries);
    const heads = bases.map((base) => replay(base, tails.get(base.head.ref.id) ?? []));
    for (const head of heads) remember(head);
    return heads;
  }

  return {
    remember,
    forget: (walletId: string): void => void cache.delete(walletId),

    /** Forgets a wallet of which another writer has taken the next place. */
    overtaken(walletId: string): void {
      cache.delete(walletId);
      sharedUntil = performance.now() + SHARED_MS;
    },

    async likely(refs: readonly WalletRef[]): Promise<Map<string, Head>> {
      await forgetOvertaken(refs);
      const missing = refs.filter(({ id }) => !cache.has(id));
      const known = refs.flatMap(({ id }) => cache.get(id)?.head ?? []);
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

/** What a head is made of: a snapshot, which knows its lots as they were at a sequence. */
interface Base {
  head: Head;
  lotsSequence: number;
}

function baseOf(ref: WalletRef, stored: StoredWallet | undefined): Base {
  if (!stored) return { head: { ref, wallet: EMPTY_WALLET, hash: GENESIS_HASH }, lotsSequence: 0 };
  const { wallet, lots } = stored;
  return {
    head: { ref, wallet: toWallet(wallet, lots), hash: wallet.hash },
    lotsSequence: lots.sequence,
  };
}

/** What is replayed begins where the older of snapshot and lots ends. */
const knownUpTo = ({ head, lotsSequence }: Base): number =>
  Math.min(head.wallet.sequence, lotsSequence);

/** What the log holds beyond some snapshots or their lots, by wallet: one question for each workspace. */
async function tailsOf(
  bases: readonly Base[],
  entries: EntryStore,
): Promise<Map<string, EntryDocument[]>> {
  const byWorkspace = [...groupBy(bases, ({ head }) => head.ref.workspaceId)];
  const tails = await Promise.all(
    byWorkspace.map(([workspaceId, own]) =>
      entries.tails(workspaceId, new Map(own.map((base) => [base.head.ref.id, knownUpTo(base)]))),
    ),
  );
  return new Map(tails.flatMap((own) => [...own]));
}

/**
 * Lots that are kept apart are read and written at another moment than the snapshot and may be older or newer than it: an
 * entry acts on whichever does not know it.
 */
function replay(base: Base, tail: readonly EntryDocument[]): Head {
  const { head, lotsSequence } = base;
  if (tail.length === 0) return head;
  const { ref } = head;
  let wallet: Wallet = { ...head.wallet, sequence: knownUpTo(base) };
  let { hash } = head;
  const changes: (readonly LotChange[])[] = [];
  for (const entry of tail) {
    const { lots, ...effect } = toEffect(entry);
    const isUnknown = entry.sequence > lotsSequence;
    if (isUnknown) changes.push(lots);
    const holds = isUnknown ? effect.holds : [];
    const after = applyEffect(wallet, { ...effect, lots: [], holds }, entry.created_at.getTime());
    // Each entry says what the figures are after it, whether the snapshot knew it or not.
    wallet = { ...after, figures: toFigures(entry.after) };
    hash = entry.hash;
  }
  // All at once: a wallet of very many lots is not copied for each entry.
  return { ref, wallet: { ...wallet, lots: applyLotChanges(wallet.lots, changes.flat()) }, hash };
}

import { type Base, catchUp, rememberedBase, storedBase, TAIL_MAX } from './catch-up';
import type { WalletRef } from './documents';
import type { EntryStore } from './entries';
import type { Head } from './head';
import type { WalletStore } from './wallets';

const CACHED_MAX = 20_000;
/** What was true so lately is not asked again: another replica would have had to write the wallet since. */
const FRESH_MS = 100;
/** After a place was lost, other replicas are held to write the same wallets for so long. */
const SHARED_MS = 60_000;
/** Other replicas may have written a wallet so much since that its snapshot is the better beginning. */
const FORGOTTEN_MS = 10_000;

export type Heads = ReturnType<typeof createHeads>;

/** A head that was true at a time; others are known to have written its wallet since where it is old. */
interface Known {
  head: Head;
  at: number;
  isOld: boolean;
}

/**
 * Where wallets stand. `likely` answers from memory or the snapshot and may lag behind other replicas: good
 * enough to say yes, since the log's unique index refuses what was decided on an old head. `proven`
 * reads the tail of the log: what a no must rest on. It begins where memory ends, as far as the log holds that: a wallet of more
 * lots than are ever written down is read from its log once, and not at every look.
 *
 * A lost place costs a second flight, and with several replicas memory is old for most wallets. While places are lost,
 * `likely` compares what it remembers with the snapshots first, all wallets of a flight in one question.
 */
export function createHeads({
  entries,
  wallets,
  freshMs = FRESH_MS,
  forgottenMs = FORGOTTEN_MS,
}: {
  entries: EntryStore;
  wallets: WalletStore;
  freshMs?: number;
  forgottenMs?: number;
}) {
  /** In order of use, the longest unused first. */
  const cache = new Map<string, Known>();
  let sharedUntil = 0;

  function remember(head: Head): void {
    const known = cache.get(head.ref.id);
    if (known && known.head.wallet.sequence > head.wallet.sequence) return;
    cache.delete(head.ref.id);
    cache.set(head.ref.id, { head, at: performance.now(), isOld: false });
    if (cache.size > CACHED_MAX) cache.delete(cache.keys().next().value!);
  }

  /** Finds those wallets that have moved on since they were remembered. */
  async function noteOvertaken(refs: readonly WalletRef[]): Promise<void> {
    const now = performance.now();
    if (now > sharedUntil) return;
    const doubtful = refs.flatMap(({ id }) => {
      const known = cache.get(id);
      return known && !known.isOld && known.at + freshMs <= now ? known : [];
    });
    if (doubtful.length === 0) return;
    const reached = await wallets.sequences(doubtful.map(({ head }) => head.ref.id));
    for (const known of doubtful)
      known.isOld ||= (reached.get(known.head.ref.id) ?? 0) > known.head.wallet.sequence;
  }

  async function loadAll(refs: readonly WalletRef[], prove: boolean): Promise<Head[]> {
    const bases = await basesOf(refs, { cache, wallets, forgottenMs });
    const isOpen = ({ head, lotsSequence, isRemembered }: Base): boolean =>
      prove || isRemembered || lotsSequence !== head.wallet.sequence;
    const current = bases.filter((base) => !isOpen(base)).map(({ head }) => head);
    const open = bases.filter(isOpen);
    const heads = await catchUp(open, entries);
    const found = [...current, ...heads.flatMap((head) => head ?? [])];
    for (const head of found) remember(head);
    const doubted = open.filter((_, at) => heads[at] === null).map(({ head }) => head.ref);
    if (doubted.length === 0) return found;
    for (const { id } of doubted) cache.delete(id);
    return [...found, ...(await loadAll(doubted, prove))];
  }

  return {
    remember,
    forget: (walletId: string): void => void cache.delete(walletId),

    /** Another writer has taken the next place of a wallet. */
    overtaken(walletId: string): void {
      const known = cache.get(walletId);
      if (known) known.isOld = true;
      sharedUntil = performance.now() + SHARED_MS;
    },

    async likely(refs: readonly WalletRef[]): Promise<Map<string, Head>> {
      await noteOvertaken(refs);
      const known = refs.flatMap(({ id }) => currentHead(cache.get(id)) ?? []);
      const missing = refs.filter(({ id }) => currentHead(cache.get(id)) === null);
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

const currentHead = (known: Known | undefined): Head | null =>
  known && !known.isOld ? known.head : null;

/** What the heads of some wallets are made of: memory, or else the snapshots. */
async function basesOf(
  refs: readonly WalletRef[],
  { cache, wallets, forgottenMs }: Sources,
): Promise<Base[]> {
  const known = refs.map(({ id }) => cache.get(id) ?? null);
  const before = performance.now() - forgottenMs;
  const old = known.flatMap((one) => (one && one.at <= before ? one.head : []));
  const far = await farBehind(old, wallets);
  const isKnown = (at: number): boolean => known[at] !== null && !far.has(refs[at]!.id);
  const missing = refs.flatMap(({ id }, at) => (isKnown(at) ? [] : [id]));
  const stored = missing.length === 0 ? [] : await wallets.load(missing);
  const byId = new Map(stored.map((one) => [one.wallet._id, one]));
  return refs.map((ref, at) => {
    const head = known[at]?.head;
    if (head && isKnown(at)) return rememberedBase(head, false);
    const found = byId.get(ref.id);
    // A wallet of more lots than are ever written down is known best to memory, however far behind that is.
    const isBest = head && (found?.lots.sequence ?? 0) < head.wallet.sequence;
    return isBest ? rememberedBase(head, true) : storedBase(ref, found);
  });
}

interface Sources {
  cache: ReadonlyMap<string, Known>;
  wallets: Pick<WalletStore, 'load' | 'sequences'>;
  forgottenMs: number;
}

/** The wallets whose logs have gone on by more than is read at once since these heads, as far as snapshots say. */
async function farBehind(
  heads: readonly Head[],
  wallets: Pick<WalletStore, 'sequences'>,
): Promise<Set<string>> {
  if (heads.length === 0) return new Set();
  const reached = await wallets.sequences(heads.map(({ ref }) => ref.id));
  const far = heads.filter(
    ({ ref, wallet }) => (reached.get(ref.id) ?? 0) - wallet.sequence > TAIL_MAX,
  );
  return new Set(far.map(({ ref }) => ref.id));
}

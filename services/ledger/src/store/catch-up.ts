import { groupBy } from '@laurel/lifecycle';
import { applyLotChanges } from '../domain/lots';
import type { LotChange, Wallet } from '../domain/types';
import { applyEffect, EMPTY_WALLET } from '../domain/wallet';
import { GENESIS_HASH } from './chain';
import type { WalletRef } from './documents';
import type { EntryStore } from './entries';
import type { Head } from './head';
import { toEffect, toFigures, toWallet } from './mapping';
import type { ReplayedEntry } from './wallet-logs';
import type { StoredWallet } from './wallets';

/** Of a log more than this is read as it is replayed: lots that are kept apart, and memory, may lie any number of entries behind. */
export const TAIL_MAX = 2_000;
/** Lots are changed so many at a time: a wallet of very many is not copied for each entry. */
const CHANGES_AT_ONCE = 10_000;

/** What a head is made of: a snapshot, which knows its lots as they were at a sequence, or an earlier head. */
export interface Base {
  head: Head;
  lotsSequence: number;
  /** The log is asked whether it holds this head. */
  isRemembered: boolean;
  /** More than `TAIL_MAX` entries are to be replayed. */
  isFarBehind: boolean;
}

/** @param isFarBehind known of a head that was not looked at for a while */
export const rememberedBase = (head: Head, isFarBehind: boolean): Base => ({
  head,
  lotsSequence: head.wallet.sequence,
  isRemembered: true,
  isFarBehind,
});

export function storedBase(ref: WalletRef, stored: StoredWallet | undefined): Base {
  if (!stored)
    return {
      head: { ref, wallet: EMPTY_WALLET, hash: GENESIS_HASH },
      lotsSequence: 0,
      isRemembered: false,
      isFarBehind: false,
    };
  const { wallet, lots } = stored;
  return {
    head: { ref, wallet: toWallet(wallet, lots), hash: wallet.hash },
    lotsSequence: lots.sequence,
    isRemembered: false,
    isFarBehind: wallet.sequence - lots.sequence > TAIL_MAX,
  };
}

/**
 * Where wallets stand at the ends of their logs, in the order of the bases; null where a log does not hold the head that was
 * remembered. One question for each workspace, and one for each wallet that is far behind.
 */
export async function catchUp(
  bases: readonly Base[],
  entries: Pick<EntryStore, 'tails' | 'tail'>,
): Promise<(Head | null)[]> {
  const tails = await tailsOf(
    bases.filter(({ isFarBehind }) => !isFarBehind),
    entries,
  );
  const heads: (Head | null)[] = [];
  for (const base of bases) {
    const { id, workspaceId } = base.head.ref;
    const tail = base.isFarBehind
      ? entries.tail(workspaceId, id, readFrom(base))
      : (tails.get(id) ?? []);
    heads.push(await replay(base, tail));
  }
  return heads;
}

/** What is replayed begins where the older of snapshot and lots ends. */
const knownUpTo = ({ head, lotsSequence }: Base): number =>
  Math.min(head.wallet.sequence, lotsSequence);

/** Of a head that is remembered its own entry is read, too: its hash stands for all that came before it. */
const readFrom = (base: Base): number =>
  Math.max(0, base.isRemembered ? base.head.wallet.sequence - 1 : knownUpTo(base));

async function tailsOf(
  bases: readonly Base[],
  entries: Pick<EntryStore, 'tails'>,
): Promise<Map<string, ReplayedEntry[]>> {
  const byWorkspace = [...groupBy(bases, ({ head }) => head.ref.workspaceId)];
  const tails = await Promise.all(
    byWorkspace.map(([workspaceId, own]) =>
      entries.tails(workspaceId, new Map(own.map((base) => [base.head.ref.id, readFrom(base)]))),
    ),
  );
  return new Map(tails.flatMap((own) => [...own]));
}

/**
 * Lots that are kept apart are read and written at another moment than the snapshot and may be older or newer than it: an
 * entry acts on whichever does not know it.
 */
async function replay(
  base: Base,
  tail: AsyncIterable<ReplayedEntry> | Iterable<ReplayedEntry>,
): Promise<Head | null> {
  const { head, lotsSequence } = base;
  let wallet: Wallet = { ...head.wallet, sequence: knownUpTo(base) };
  let hash: string | null = null;
  let isFound = !base.isRemembered || wallet.sequence === 0;
  let changes: LotChange[] = [];
  const changeLots = (): void => {
    if (changes.length > 0) wallet = { ...wallet, lots: applyLotChanges(wallet.lots, changes) };
    changes = [];
  };
  for await (const entry of tail) {
    if (!isFound) {
      isFound = entry.sequence === wallet.sequence && entry.hash === head.hash;
      if (!isFound) return null;
      continue;
    }
    const { lots, ...effect } = toEffect(entry);
    const isUnknown = entry.sequence > lotsSequence;
    if (isUnknown) changes.push(...lots);
    if (changes.length >= CHANGES_AT_ONCE) changeLots();
    const holds = isUnknown ? effect.holds : [];
    const after = applyEffect(wallet, { ...effect, lots: [], holds }, entry.created_at.getTime());
    // Each entry says what the figures are after it, whether the snapshot knew it or not.
    wallet = { ...after, figures: toFigures(entry.after) };
    hash = entry.hash;
  }
  if (!isFound) return null;
  if (hash === null) return head;
  changeLots();
  return { ref: head.ref, wallet, hash };
}

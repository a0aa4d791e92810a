import { groupBy, inPages } from '@laurel/lifecycle';
import type { Rows } from '@laurel/mongo';
import type { EntryDocument } from './documents';
import { lastEntriesBy } from './last-entry';

/** A query with more alternatives than this takes longer than two of half as many. */
const PLACES_AT_ONCE = 64;
/** So many entries of a log are read at once: each has as much metadata as a request carries. */
const LOG_BATCH = 200;
const ERASED_AT_ONCE = 1_000;

/** What an entry does to its wallet: all that replaying it takes. What callers wrote on it may be very long. */
const REPLAYED = {
  wallet_id: 1,
  sequence: 1,
  change: 1,
  after: 1,
  lots: 1,
  holds: 1,
  closing: 1,
  created_at: 1,
  hash: 1,
} as const;
/** Where a wallet stands after an entry. */
const STANDING = { wallet_id: 1, sequence: 1, after: 1, created_at: 1, hash: 1 } as const;

export type ReplayedEntry = Pick<EntryDocument, '_id' | keyof typeof REPLAYED>;
type StandingEntry = Pick<EntryDocument, '_id' | keyof typeof STANDING>;

/** The logs of wallets: each the entries of one wallet, by sequence. */
export function logsOfWallets(rows: Rows<EntryDocument>) {
  const lastOfEachBy = (
    workspaceId: string,
    near: ReadonlyMap<string, number>,
    at: Date,
  ): Promise<Map<string, StandingEntry>> =>
    lastEntriesBy(
      (places) =>
        atPlaces<StandingEntry>(rows.of(workspaceId), places, {
          asked: (sequence) => sequence,
          projection: STANDING,
        }),
      near,
      at,
    );

  return {
    /** The last entry by `at` of each of some wallets; `near` has any sequence of each that is known to exist, 0 for none. */
    lastOfEachBy,

    /** The same of one wallet. */
    lastBy: async (
      workspaceId: string,
      walletId: string,
      { near, at }: { near: number; at: Date },
    ): Promise<StandingEntry | null> =>
      (await lastOfEachBy(workspaceId, new Map([[walletId, near]]), at)).get(walletId) ?? null,

    /** The logs of some wallets, one after the other, read as they are taken. */
    ofWallets: (workspaceId: string, walletIds: readonly string[]): AsyncIterable<EntryDocument> =>
      rows
        .of(workspaceId)
        .find({ wallet_id: { $in: [...walletIds] } })
        .sort({ wallet_id: 1, sequence: 1 })
        .batchSize(LOG_BATCH),

    ...erasing(rows),
    ...tailsOfLogs(rows),
  };
}

/** Erases free text with the key of its digest; both say on how many entries. */
function erasing(rows: Rows<EntryDocument>) {
  const erase = async (workspaceId: string, which: object): Promise<number> => {
    const noted = { ...which, note: { $ne: null } };
    const { modifiedCount } = await rows
      .of(workspaceId)
      .updateMany(noted, { $set: { note: null } });
    return modifiedCount;
  };
  return {
    eraseNotes: (workspaceId: string, walletIds: readonly string[]): Promise<number> =>
      erase(workspaceId, { wallet_id: { $in: [...walletIds] } }),

    /** That of what others received from some wallets by transfers: both sides carry the words of the sender. */
    async eraseReceivedNotes(workspaceId: string, walletIds: readonly string[]): Promise<number> {
      const sent = rows
        .of(workspaceId)
        .find({ wallet_id: { $in: [...walletIds] }, type: 'transfer_out' })
        .project<Pick<EntryDocument, 'counterpart'>>({ _id: 0, counterpart: 1 })
        .batchSize(ERASED_AT_ONCE);
      let count = 0;
      for await (const page of inPages(sent, ERASED_AT_ONCE)) {
        const ids = page.flatMap(({ counterpart }) => counterpart?.entry_id ?? []);
        count += await erase(workspaceId, { _id: { $in: ids } });
      }
      return count;
    },
  };
}

/** What logs hold behind some places of them. */
function tailsOfLogs(rows: Rows<EntryDocument>) {
  return {
    /** What some wallets of a workspace did, by wallet and in order, each after a sequence of its own. */
    async tails(
      workspaceId: string,
      after: ReadonlyMap<string, number>,
    ): Promise<Map<string, ReplayedEntry[]>> {
      const asked = { asked: behind, projection: REPLAYED };
      const found = await atPlaces<ReplayedEntry>(rows.of(workspaceId), after, asked);
      const inOrder = found.sort((one, other) => one.sequence - other.sequence);
      return groupBy(inOrder, ({ wallet_id }) => wallet_id);
    },

    /** The same of one wallet, however long that is: read as it is taken. */
    tail: (workspaceId: string, walletId: string, after: number): AsyncIterable<ReplayedEntry> =>
      rows
        .of(workspaceId)
        .find({ wallet_id: walletId, sequence: behind(after) })
        .sort({ sequence: 1 })
        .project<ReplayedEntry>(REPLAYED)
        .batchSize(LOG_BATCH),

    /** Where some wallets of a workspace stood after each entry behind a sequence of their own, in no order. */
    standingsAfter: (
      workspaceId: string,
      after: ReadonlyMap<string, number>,
    ): Promise<StandingEntry[]> =>
      atPlaces(rows.of(workspaceId), after, { asked: behind, projection: STANDING }),
  };
}

const behind = (sequence: number) => ({ $gt: sequence });

interface Question {
  asked: (sequence: number) => number | { $gt: number };
  projection: object;
}

/** What is asked for of entries of several wallets, each by its own sequence. */
async function atPlaces<Read extends object>(
  own: ReturnType<Rows<EntryDocument>['of']>,
  places: ReadonlyMap<string, number>,
  { asked, projection }: Question,
): Promise<Read[]> {
  const bySequence = groupBy([...places.keys()], (id) => places.get(id)!);
  const wanted = [...bySequence].map(([sequence, ids]) => ({
    wallet_id: { $in: ids },
    sequence: asked(sequence),
  }));
  const found: Read[][] = [];
  for (let start = 0; start < wanted.length; start += PLACES_AT_ONCE) {
    const several = wanted.slice(start, start + PLACES_AT_ONCE);
    const filter = several.length === 1 ? several[0]! : { $or: several };
    found.push(await own.find(filter).project<Read>(projection).batchSize(5_000).toArray());
  }
  return found.flat();
}

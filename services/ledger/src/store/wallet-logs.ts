import { groupBy } from '@laurel/lifecycle';
import type { Rows } from '@laurel/mongo';
import type { EntryDocument } from './documents';
import { lastEntriesBy } from './last-entry';

/** A query with more alternatives than this takes longer than two of half as many. */
const PLACES_AT_ONCE = 64;
/** So many entries of a log are read at once: each has as much metadata as a request carries. */
const LOG_BATCH = 200;

/** The logs of wallets: each the entries of one wallet, by sequence. */
export function logsOfWallets(rows: Rows<EntryDocument>) {
  const lastOfEachBy = (
    workspaceId: string,
    near: ReadonlyMap<string, number>,
    at: Date,
  ): Promise<Map<string, EntryDocument>> =>
    lastEntriesBy(
      (places) => atPlaces(rows.of(workspaceId), places, (sequence) => sequence),
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
    ): Promise<EntryDocument | null> =>
      (await lastOfEachBy(workspaceId, new Map([[walletId, near]]), at)).get(walletId) ?? null,

    /** The logs of some wallets, one after the other, read as they are taken. */
    ofWallets: (workspaceId: string, walletIds: readonly string[]): AsyncIterable<EntryDocument> =>
      rows
        .of(workspaceId)
        .find({ wallet_id: { $in: [...walletIds] } })
        .sort({ wallet_id: 1, sequence: 1 })
        .batchSize(LOG_BATCH),

    /** Erases the free text and the key of its digest; returns on how many entries. */
    async eraseNotes(workspaceId: string, walletIds: readonly string[]): Promise<number> {
      const noted = { wallet_id: { $in: [...walletIds] }, note: { $ne: null } };
      const { modifiedCount } = await rows
        .of(workspaceId)
        .updateMany(noted, { $set: { note: null } });
      return modifiedCount;
    },

    /** The entries of several wallets of a workspace, by wallet and in order, each after a sequence of its own. */
    async tails(
      workspaceId: string,
      after: ReadonlyMap<string, number>,
    ): Promise<Map<string, EntryDocument[]>> {
      const found = await atPlaces(rows.of(workspaceId), after, (sequence) => ({ $gt: sequence }));
      const inOrder = found.sort((one, other) => one.sequence - other.sequence);
      return groupBy(inOrder, ({ wallet_id }) => wallet_id);
    },
  };
}

/** Entries of several wallets, each by its own sequence. */
async function atPlaces(
  own: ReturnType<Rows<EntryDocument>['of']>,
  places: ReadonlyMap<string, number>,
  asked: (sequence: number) => number | { $gt: number },
): Promise<EntryDocument[]> {
  const bySequence = groupBy([...places.keys()], (id) => places.get(id)!);
  const wanted = [...bySequence].map(([sequence, ids]) => ({
    wallet_id: { $in: ids },
    sequence: asked(sequence),
  }));
  const found: EntryDocument[] = [];
  for (let start = 0; start < wanted.length; start += PLACES_AT_ONCE) {
    const several = wanted.slice(start, start + PLACES_AT_ONCE);
    const filter = several.length === 1 ? several[0]! : { $or: several };
    found.push(...(await own.find(filter).batchSize(5_000).toArray()));
  }
  return found;
}

import { type Connection, collection, refusedAsDuplicates } from '@laurel/mongo';
import { createDueTimes, ofThisClock } from '@laurel/work';
import { nextDueAt } from '../domain/settle';
import type { FiguresDocument, WalletDocument, WalletLotsDocument } from './documents';
import type { Head } from './head';
import { fromFigures, fromLots } from './mapping';
import { areInline, createWalletLotsStore } from './wallet-lots';
import { idsWithin, ofScope, type WalletRange, type WalletScope } from './wallet-range';

export const wallets = collection<WalletDocument>('wallets', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'by hand: use-cases/merge-client-wallets.ts',
    anonymized: 'by hand: use-cases/close-client-wallets.ts',
    deleted: 'as anonymized',
    exported: 'by hand: use-cases/export-client.ts',
  },
  growth: {
    per: 'client and wallet type',
    end: 'stays: goes with its client',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { workspace_id: 1, client_id: 1 }, name: 'client' },
    { key: { workspace_id: 1, _id: 1 }, name: 'of_workspace' },
    { key: { workspace_id: 1, wallet_type_id: 1, _id: 1 }, name: 'type' },
    { key: { next_due_at: 1 }, name: 'due' },
  ],
});

/** A snapshot, with the lots from wherever they are. */
export interface StoredWallet {
  wallet: WalletDocument;
  lots: Pick<WalletLotsDocument, 'sequence' | 'lots' | 'holds'>;
}

/** Where a wallet stands, as far as its chain goes. */
type WalletEnd = Pick<WalletDocument, '_id' | 'sequence' | 'hash' | 'last_at'>;

const ENDS_PAGE = 10_000;
/** What is due later is found by a sweep in time. */
const SOON_MS = 15_000;

export type WalletStore = ReturnType<typeof createWalletStore>;

/** Snapshots of the log. Each may lag; none may lead. Many lots stand beside the snapshot (`wallet-lots.ts`). */
export function createWalletStore(connection: Connection) {
  const rows = wallets.open(connection);
  const lots = createWalletLotsStore(connection);
  const dueTimes = createDueTimes(connection, wallets.collection, {
    column: 'next_due_at',
    leads: true,
  });
  const announce = (dueAt: Date | null): void => {
    if (dueAt && dueAt.getTime() < Date.now() + SOON_MS) dueTimes.wake(undefined, dueAt);
  };

  return {
    // Ids of wallets are made of their workspace's: a caller who has some asks for many tenants at once.
    collection: rows.ofEverybody,
    ...snapshotReads(rows),
    ...walks(rows),

    async load(ids: readonly string[]): Promise<StoredWallet[]> {
      const found = await rows.ofEverybody.find({ _id: { $in: [...ids] } }).toArray();
      const apart = await lots.load(found.flatMap((one) => (one.lots === null ? [one._id] : [])));
      return found.map((wallet) => {
        const { sequence, lots: inline, holds } = wallet;
        const own = inline && holds ? { sequence, lots: inline, holds } : apart.get(wallet._id);
        return { wallet, lots: own ?? { sequence: 0, lots: [], holds: [] } };
      });
    },

    /** Writes the snapshots of some heads, unless newer ones stand; says whether all of these do now. */
    async save(heads: readonly Head[]): Promise<boolean> {
      if (heads.length === 0) return true;
      await lots.save(heads);
      const operations = heads.map((head) => ({
        updateOne: {
          filter: { _id: head.ref.id, sequence: { $lt: head.wallet.sequence } },
          update: { $set: snapshotOf(head) },
          upsert: true,
        },
      }));
      // An upsert whose guard fails tries to insert what is there: a newer snapshot stands.
      const newer = await refusedAsDuplicates(() =>
        rows.ofEverybody.bulkWrite(operations, { ordered: false }),
      );
      for (const { updateOne } of operations) announce(updateOne.update.$set.next_due_at);
      return newer.size === 0;
    },

    /** When something is due in wallets. */
    dueTimes,

    /** Wallets with something due by `now`, the most overdue first. */
    due: (now: Date, limit: number): Promise<WalletDocument[]> =>
      rows.ofEverybody
        .find({ next_due_at: { $lte: now }, ...ofThisClock() })
        .sort({ next_due_at: 1 })
        .limit(limit)
        .toArray(),

    /** Drops what is remembered of wallets that are no more. */
    forget: (): void => lots.forget(),
  };
}

/** Snapshots as they stand, without lots that are kept apart. */
function snapshotReads(rows: ReturnType<typeof wallets.open>) {
  return {
    findMany: (ids: readonly string[]): Promise<WalletDocument[]> =>
      rows.ofEverybody.find({ _id: { $in: [...ids] } }).toArray(),

    /** Where some wallets stand, and their figures there, by their ids. */
    async figures(
      ids: readonly string[],
    ): Promise<Map<string, { sequence: number; figures: FiguresDocument }>> {
      const found = await rows.ofEverybody
        .find({ _id: { $in: [...ids] } })
        .project<Pick<WalletDocument, '_id' | 'sequence' | 'figures'>>({ sequence: 1, figures: 1 })
        .toArray();
      return new Map(found.map(({ _id, ...stand }) => [_id, stand]));
    },

    /** At which sequence the snapshots of some wallets stand. */
    async sequences(ids: readonly string[]): Promise<Map<string, number>> {
      const found = await rows.ofEverybody
        .find({ _id: { $in: [...ids] } })
        .project<Pick<WalletDocument, '_id' | 'sequence'>>({ sequence: 1 })
        .toArray();
      return new Map(found.map(({ _id, sequence }) => [_id, sequence]));
    },

    anyOfType: (workspaceId: string, walletTypeId: string): Promise<boolean> =>
      rows.of(workspaceId).has({ wallet_type_id: walletTypeId }),
  };
}

/** Ways through all wallets of a workspace, a piece at a time. */
function walks(rows: ReturnType<typeof wallets.open>) {
  /** The so many-th wallet of a scope behind an id; null where there are fewer. */
  async function cutAfter(
    { workspaceId, ...scope }: WalletScope,
    after: string,
    every: number,
  ): Promise<string | null> {
    const [next] = await rows
      .of(workspaceId)
      .find({ ...ofScope(scope), _id: { $gt: after } })
      .sort({ _id: 1 })
      .skip(every - 1)
      .limit(1)
      .project<Pick<WalletDocument, '_id'>>({ _id: 1 })
      .toArray();
    return next?._id ?? null;
  }

  return {
    cutAfter,

    /** Each so many-th wallet of a workspace, in order of their ids. */
    async cuts(workspaceId: string, every: number): Promise<string[]> {
      const cuts: string[] = [];
      for (;;) {
        const next = await cutAfter({ workspaceId }, cuts.at(-1) ?? '', every);
        if (next === null) return cuts;
        cuts.push(next);
      }
    },

    /** The ids of a scope's wallets in a range, in no order. */
    async idsWithin({ workspaceId, ...scope }: WalletScope, range: WalletRange): Promise<string[]> {
      const found = await rows
        .of(workspaceId)
        .find({ ...ofScope(scope), _id: idsWithin(range) })
        .project<Pick<WalletDocument, '_id'>>({ _id: 1 })
        .batchSize(100_000)
        .toArray();
      return found.map(({ _id }) => _id);
    },

    /** Where wallets of a workspace stand, in order of their ids; however many, a page is held at a time. */
    async *ends(workspaceId: string, range: WalletRange): AsyncGenerator<WalletEnd> {
      let { after } = range;
      for (;;) {
        const page = await rows
          .of(workspaceId)
          .find({ _id: idsWithin({ ...range, after }) })
          .sort({ _id: 1 })
          .limit(ENDS_PAGE)
          .project<WalletEnd>({ sequence: 1, hash: 1, last_at: 1 })
          .batchSize(ENDS_PAGE + 1)
          .toArray();
        yield* page;
        if (page.length < ENDS_PAGE) return;
        after = page.at(-1)!._id;
      }
    },
  };
}

/** The snapshot of a head as it is stored. */
export function snapshotOf({ ref, wallet, hash }: Head): Omit<WalletDocument, '_id'> {
  const due = nextDueAt(wallet);
  const inline = areInline(wallet);
  return {
    workspace_id: ref.workspaceId,
    client_id: ref.clientId,
    wallet_type_id: ref.walletTypeId,
    wallet_type_code: ref.walletTypeCode,
    sequence: wallet.sequence,
    hash,
    last_at: wallet.lastAt,
    figures: fromFigures(wallet.figures),
    closing: wallet.closing,
    next_due_at: due === null ? null : new Date(due),
    ...(inline ? fromLots(wallet) : { lots: null, holds: null }),
  };
}

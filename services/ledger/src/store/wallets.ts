import { type Connection, collection, refusedAsDuplicates } from '@laurel/mongo';
import { type Claimed, createDue, type DueSpec, dueIndex } from '@laurel/work';
import { nextDueAt } from '../domain/settle';
import type { Wallet } from '../domain/types';
import type { FiguresDocument, WalletDocument, WalletLotsDocument, WalletRef } from './documents';
import type { Head } from './head';
import { fromFigures, fromLots, walletOf } from './mapping';
import { areInline, createWalletLotsStore } from './wallet-lots';
import { idsWithin, ofScope, type WalletRange, type WalletScope } from './wallet-range';

const DUE: DueSpec = { column: 'next_due_at', leads: true };

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
    dueIndex(DUE),
  ],
});

/** A snapshot, with the lots from wherever they are. */
export interface StoredWallet {
  wallet: WalletDocument;
  lots: Pick<WalletLotsDocument, 'sequence' | 'lots' | 'holds'>;
}

/** Where a wallet stands, as far as its chain goes. */
type WalletEnd = Pick<WalletDocument, '_id' | 'sequence' | 'hash' | 'last_at'>;

/** A wallet with something due, as its snapshot stood. */
export interface DueWallet {
  ref: WalletRef;
  sequence: number;
}

const ENDS_PAGE = 10_000;
/** What is due later is found by a sweep in time. */
const SOON_MS = 15_000;

export type WalletStore = ReturnType<typeof createWalletStore>;

/** Snapshots of the log. Each may lag; none may lead. Many lots stand beside the snapshot (`wallet-lots.ts`). */
export function createWalletStore(connection: Connection) {
  const rows = wallets.open(connection);
  const lots = createWalletLotsStore(connection);
  const due = createDue<WalletDocument, DueWallet>(connection, wallets.collection, {
    ...DUE,
    read: (wallet) => ({
      ref: walletOf({ ...wallet, wallet_id: wallet._id }),
      sequence: wallet.sequence,
    }),
  });
  const announce = (dueAt: Date | null | undefined): void => {
    if (dueAt && dueAt.getTime() < Date.now() + SOON_MS) due.wake(undefined, dueAt);
  };

  return {
    // Ids of wallets are made of their workspace's: a caller who has some asks for many tenants at once.
    collection: rows.ofEverybody,
    ...snapshotReads(rows),
    ...walks(rows),
    ...claimEnds(rows),

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
          update: rewrite(head),
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

    /** Wallets with something due. A claim ends with the next snapshot, which says when something is due from then on. */
    due,

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

/** Claims that no snapshot has ended: nothing was due in their wallets after all, or another release wrote the snapshot. */
function claimEnds(rows: ReturnType<typeof wallets.open>) {
  return {
    /** Those of some wallets that are claimed still. */
    async claimed(page: readonly Claimed<DueWallet>[]): Promise<Claimed<DueWallet>[]> {
      if (page.length === 0) return [];
      const found = await rows.ofEverybody
        .find({
          _id: { $in: page.map(({ id }) => id) },
          lease: { $in: [...new Set(page.map(({ lease }) => lease))] },
        })
        .project<Pick<WalletDocument, '_id'>>({ _id: 1 })
        .toArray();
      const ids = new Set(found.map(({ _id }) => _id));
      return page.filter(({ id }) => ids.has(id));
    },

    /** Puts back what a claim stands in the place of, unless the wallet has a newer snapshot than that of the head. */
    async endClaim(
      { id, lease, row: { ref } }: Claimed<DueWallet>,
      { wallet }: Head,
    ): Promise<void> {
      const next = nextDue(wallet);
      await rows.of(ref.workspaceId).updateOne(
        { _id: id, lease, sequence: wallet.sequence },
        {
          ...(next ? { $set: { next_due_at: next } } : {}),
          $unset: { lease: '', ...(next ? {} : { next_due_at: '' }) },
        },
      );
    },
  };
}

function nextDue(wallet: Wallet): Date | undefined {
  const due = nextDueAt(wallet);
  return due === null ? undefined : new Date(due);
}

/** What makes a row the snapshot of a head. */
function rewrite(head: Head) {
  const snapshot = snapshotOf(head);
  const gone: Record<string, ''> = {
    lease: '',
    ...(snapshot.next_due_at ? {} : { next_due_at: '' }),
  };
  return { $set: snapshot, $unset: gone };
}

/** The snapshot of a head, as it is kept. */
export function snapshotOf({ ref, wallet, hash }: Head): Omit<WalletDocument, '_id'> {
  const next = nextDue(wallet);
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
    ...(next ? { next_due_at: next } : {}),
    ...(areInline(wallet) ? fromLots(wallet) : { lots: null, holds: null }),
  };
}

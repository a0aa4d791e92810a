import { type Connection, collection } from '@laurel/mongo';
import { createDueTimes, ofThisClock } from '@laurel/work';
import { nextDueAt } from '../domain/settle';
import type { Wallet } from '../domain/types';
import type { WalletDocument, WalletLotsDocument, WalletRef } from './documents';
import { fromFigures, fromLots } from './mapping';

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

const WITH_ITS_WALLET = 'stays: what becomes of its wallet is written into it';

export const walletLots = collection<WalletLotsDocument>('wallet_lots', {
  tenant: 'workspace_id',
  person: {
    column: 'none: its wallet names the client',
    merged: WITH_ITS_WALLET,
    anonymized: WITH_ITS_WALLET,
    deleted: 'as anonymized',
    exported: 'withheld: numbers that the entries add up to',
  },
  growth: {
    per: 'wallet with many lots',
    end: 'stays: goes with its workspace',
    shardKey: 'hashed _id',
  },
  indexes: [],
});

/** A wallet at the head of its log. */
export interface Head {
  ref: WalletRef;
  wallet: Wallet;
  hash: string;
}

/** A snapshot, with the lots from wherever they are. */
export interface StoredWallet {
  wallet: WalletDocument;
  lots: Pick<WalletLotsDocument, 'sequence' | 'lots' | 'holds'>;
}

/** Where a wallet stands, as far as its chain goes. */
type WalletEnd = Pick<WalletDocument, '_id' | 'sequence' | 'hash' | 'last_at'>;

const ENDS_PAGE = 10_000;
/** Up to this many lots are part of the snapshot itself. */
const INLINE_MAX = 32;
/** More would not fit into one document; such a wallet is replayed from the last lots that did. */
const LOTS_MAX = 100_000;
const REMEMBERED_MAX = 50_000;
/** What is due later is found by a sweep in time. */
const SOON_MS = 15_000;

export type WalletStore = ReturnType<typeof createWalletStore>;

/**
 * Snapshots of the log. Each may lag; none may lead. Rewriting thousands of lots with every entry would not pay,
 * so a wallet with many has them in a document of its own, written again once the tail of the log to replay
 * is an eighth of their number.
 */
export function createWalletStore(connection: Connection) {
  const rows = wallets.open(connection);
  // Ids of wallets are made of their workspace's: whoever has one asks for many tenants at once.
  const everyWallet = rows.ofEverybody;
  const everyLots = walletLots.open(connection).ofEverybody;
  /** Where the lots stand that were written here; those of other wallets are written when they are next asked for. */
  const lotsAt = new Map<string, number>();

  function lotsAreDue({ ref, wallet }: Head): boolean {
    const size = wallet.lots.length + wallet.holds.length;
    if (size <= INLINE_MAX || size > LOTS_MAX) return false;
    return wallet.sequence - (lotsAt.get(ref.id) ?? 0) >= size / 8;
  }

  async function saveLots(heads: readonly Head[]): Promise<void> {
    if (heads.length === 0) return;
    const operations = heads.map(({ ref, wallet }) => ({
      updateOne: {
        filter: { _id: ref.id, sequence: { $lt: wallet.sequence } },
        update: {
          $set: {
            workspace_id: ref.workspaceId,
            sequence: wallet.sequence,
            ...fromLots(wallet),
          },
        },
        upsert: true,
      },
    }));
    await unlessNewer(() => everyLots.bulkWrite(operations, { ordered: false }));
    for (const { ref, wallet } of heads) {
      lotsAt.delete(ref.id);
      lotsAt.set(ref.id, wallet.sequence);
      if (lotsAt.size > REMEMBERED_MAX) lotsAt.delete(lotsAt.keys().next().value!);
    }
  }

  const dueTimes = createDueTimes(connection, wallets.collection, { column: 'next_due_at' });
  const announce = (dueAt: Date | null): void => {
    if (dueAt && dueAt.getTime() < Date.now() + SOON_MS) dueTimes.wake(undefined, dueAt);
  };

  return {
    collection: everyWallet,

    findMany: (ids: readonly string[]): Promise<WalletDocument[]> =>
      everyWallet.find({ _id: { $in: [...ids] } }).toArray(),

    /** Where the wallets of a workspace stand, in order of their ids; however many, a page is held at a time. */
    async *ends(workspaceId: string): AsyncGenerator<WalletEnd> {
      let after = '';
      for (;;) {
        const page = await rows
          .of(workspaceId)
          .find({ _id: { $gt: after } })
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

    /** At which sequence the snapshots of some wallets stand. */
    async sequences(ids: readonly string[]): Promise<Map<string, number>> {
      const found = await everyWallet
        .find({ _id: { $in: [...ids] } })
        .project<Pick<WalletDocument, '_id' | 'sequence'>>({ sequence: 1 })
        .toArray();
      return new Map(found.map(({ _id, sequence }) => [_id, sequence]));
    },

    async load(ids: readonly string[]): Promise<StoredWallet[]> {
      const found = await everyWallet.find({ _id: { $in: [...ids] } }).toArray();
      const apart = found.flatMap(({ _id, lots }) => (lots === null ? [_id] : []));
      const stored =
        apart.length === 0 ? [] : await everyLots.find({ _id: { $in: apart } }).toArray();
      const byId = new Map(stored.map((one) => [one._id, one]));
      return found.map((wallet) => {
        const { sequence, lots, holds } = wallet;
        const own = lots && holds ? { sequence, lots, holds } : byId.get(wallet._id);
        return { wallet, lots: own ?? { sequence: 0, lots: [], holds: [] } };
      });
    },

    /** Writes the snapshots of some heads, unless newer ones stand; says whether all of these do now. */
    async save(heads: readonly Head[]): Promise<boolean> {
      if (heads.length === 0) return true;
      await saveLots(heads.filter(lotsAreDue));
      const operations = heads.map((head) => ({
        updateOne: {
          filter: { _id: head.ref.id, sequence: { $lt: head.wallet.sequence } },
          update: { $set: snapshotOf(head) },
          upsert: true,
        },
      }));
      const stands = await unlessNewer(() => everyWallet.bulkWrite(operations, { ordered: false }));
      for (const { updateOne } of operations) announce(updateOne.update.$set.next_due_at);
      return stands;
    },

    /** When something is due in wallets. */
    dueTimes,

    /** Wallets with something due by `now`, the most overdue first. */
    due: (now: Date, limit: number): Promise<WalletDocument[]> =>
      everyWallet
        .find({ next_due_at: { $lte: now }, ...ofThisClock() })
        .sort({ next_due_at: 1 })
        .limit(limit)
        .toArray(),

    anyOfType: (workspaceId: string, walletTypeId: string): Promise<boolean> =>
      rows.of(workspaceId).has({ wallet_type_id: walletTypeId }),

    /** Drops what is remembered of wallets that are no more. */
    forget: (): void => lotsAt.clear(),
  };
}

/** Lets a snapshot lose against a newer one: an upsert whose guard that fails tries to insert it again. */
async function unlessNewer(write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write();
    return true;
  } catch (error) {
    if (!onlyNewerSnapshots(error)) throw error;
    return false;
  }
}

/** The snapshot of a head as it is stored. */
export function snapshotOf({ ref, wallet, hash }: Head): Omit<WalletDocument, '_id'> {
  const due = nextDueAt(wallet);
  const inline = wallet.lots.length + wallet.holds.length <= INLINE_MAX;
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

function onlyNewerSnapshots(error: unknown): boolean {
  const failed = (error as { writeErrors?: unknown }).writeErrors;
  const list = Array.isArray(failed) ? failed : failed === undefined ? [] : [failed];
  return list.length > 0 && list.every((one: { code?: number }) => one.code === 11000);
}

import { type Connection, collection, refusedAsDuplicates } from '@laurel/mongo';
import type { Wallet } from '../domain/types';
import type { WalletLotsDocument } from './documents';
import type { Head } from './head';
import { fromLots } from './mapping';

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

/** Up to this many lots, and parts of lots that are on hold, are part of the snapshot itself. */
const INLINE_MAX = 32;
/** More would not fit into one document; such a wallet is replayed from the last lots that did. */
const LOTS_MAX = 100_000;
const REMEMBERED_MAX = 50_000;

/** Whether the lots and holds of a wallet are few enough to stand in its snapshot. */
export const areInline = (wallet: Wallet): boolean => sizeOf(wallet) <= INLINE_MAX;

/** What makes a document of lots long: one hold may be of any number of lots. */
const sizeOf = ({ lots, holds }: Pick<Wallet, 'lots' | 'holds'>): number =>
  holds.reduce((size, { parts }) => size + 1 + parts.length, lots.length);

/**
 * The lots of wallets that have many. Rewriting thousands of them with every entry would not pay, so they are
 * written again once the tail of the log to replay is an eighth of their number.
 */
export function createWalletLotsStore(connection: Connection) {
  // Ids of wallets are made of their workspace's: a caller who has some asks for many tenants at once.
  const rows = walletLots.open(connection).ofEverybody;
  /** Where the lots stand that were written here; those of other wallets are written when they are next asked for. */
  const writtenAt = new Map<string, number>();

  function areDue({ ref, wallet }: Head): boolean {
    const size = sizeOf(wallet);
    if (size <= INLINE_MAX || size > LOTS_MAX) return false;
    return wallet.sequence - (writtenAt.get(ref.id) ?? 0) >= size / 8;
  }

  return {
    async load(ids: readonly string[]): Promise<Map<string, WalletLotsDocument>> {
      const found = ids.length === 0 ? [] : await rows.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map((one) => [one._id, one]));
    },

    /** Writes the lots of those wallets whose written ones are far behind. */
    async save(heads: readonly Head[]): Promise<void> {
      const due = heads.filter(areDue);
      if (due.length === 0) return;
      const operations = due.map(({ ref, wallet }) => ({
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
      // Newer lots stay: an upsert whose guard fails tries to insert them again, and is refused.
      await refusedAsDuplicates(() => rows.bulkWrite(operations, { ordered: false }));
      for (const { ref, wallet } of due) {
        writtenAt.delete(ref.id);
        writtenAt.set(ref.id, wallet.sequence);
        if (writtenAt.size > REMEMBERED_MAX) writtenAt.delete(writtenAt.keys().next().value!);
      }
    },

    /** Drops what is remembered of wallets that are no more. */
    forget: (): void => writtenAt.clear(),
  };
}

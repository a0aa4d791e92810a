import type { Connection } from '@laurel/mongo';
import { nextDueAt } from '../domain/settle';
import type { Wallet } from '../domain/types';
import type { WalletDocument, WalletRef } from './documents';
import { fromFigures, fromLots } from './mapping';

/** A wallet at the head of its log. */
export interface Head {
  ref: WalletRef;
  wallet: Wallet;
  hash: string;
  /** What the snapshot holds of the lots: rewriting thousands of them with every entry would not pay. */
  lotsSequence: number;
}

/** Lots are written again once the tail to replay is this long, or an eighth of their number. */
const TAIL_MAX = 32;

export type WalletStore = ReturnType<typeof createWalletStore>;

/** Snapshots of the log. Each may lag; none may lead. */
export function createWalletStore(connection: Connection) {
  const wallets = connection.collection<WalletDocument>('wallets');

  return {
    collection: wallets,

    findMany: (ids: readonly string[]): Promise<WalletDocument[]> =>
      wallets.find({ _id: { $in: [...ids] } }).toArray(),

    /**
     * Writes the snapshots of some heads, unless newer ones stand. Returns the sequence at which the lots
     * of each now stand.
     */
    async save(heads: readonly Head[]): Promise<Map<string, number>> {
      const written = new Map<string, number>();
      const operations = heads.map((head) => {
        const withLots = lotsAreDue(head);
        written.set(head.ref.id, withLots ? head.wallet.sequence : head.lotsSequence);
        return {
          updateOne: {
            filter: { _id: head.ref.id, sequence: { $lt: head.wallet.sequence } },
            update: { $set: snapshotOf(head, withLots) },
            upsert: true,
          },
        };
      });
      if (operations.length === 0) return written;
      try {
        await wallets.bulkWrite(operations, { ordered: false });
      } catch (error) {
        if (!onlyNewerSnapshots(error)) throw error;
      }
      return written;
    },

    /** Wallets with something due by `now`, the most overdue first. */
    due: (now: Date, limit: number): Promise<WalletDocument[]> =>
      wallets
        .find({ next_due_at: { $lte: now } })
        .sort({ next_due_at: 1 })
        .limit(limit)
        .toArray(),

    async anyOfType(workspaceId: string, walletTypeId: string): Promise<boolean> {
      const wallet = await wallets.findOne(
        { workspace_id: workspaceId, wallet_type_id: walletTypeId },
        { projection: { _id: 1 } },
      );
      return wallet !== null;
    },

    ofClient: (workspaceId: string, clientId: string): Promise<WalletDocument[]> =>
      wallets.find({ workspace_id: workspaceId, client_id: clientId }).toArray(),
  };
}

function lotsAreDue({ wallet, lotsSequence }: Head): boolean {
  const tail = wallet.sequence - lotsSequence;
  return wallet.lots.length <= TAIL_MAX || tail >= Math.max(TAIL_MAX, wallet.lots.length / 8);
}

function snapshotOf({ ref, wallet, hash }: Head, withLots: boolean): Omit<WalletDocument, '_id'> {
  const due = nextDueAt(wallet);
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
    ...((withLots ? fromLots(wallet) : {}) as Pick<
      WalletDocument,
      'lots' | 'holds' | 'lots_sequence'
    >),
  };
}

/** An upsert whose guard a newer snapshot fails tries to insert it again, and its _id is taken. */
function onlyNewerSnapshots(error: unknown): boolean {
  const failed = (error as { writeErrors?: unknown }).writeErrors;
  const list = Array.isArray(failed) ? failed : failed === undefined ? [] : [failed];
  return list.length > 0 && list.every((one: { code?: number }) => one.code === 11000);
}

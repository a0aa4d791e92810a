import type { Connection } from '@laurel/mongo';
import { type EntryDocument, UNRELAYED } from './documents';

export interface Repeatable {
  workspaceId: string;
  operationId: string;
  claim?: string | undefined;
}

export type EntryStore = ReturnType<typeof createEntryStore>;

/** The log. Nothing here changes or removes an entry's hashed part. */
export function createEntryStore(connection: Connection) {
  const entries = connection.collection<EntryDocument>('entries');

  return {
    collection: entries,

    find: (workspaceId: string, id: string): Promise<EntryDocument | null> =>
      entries.findOne({ _id: id, workspace_id: workspaceId }),

    findByOperation: (workspaceId: string, operationId: string): Promise<EntryDocument | null> =>
      entries.findOne({ workspace_id: workspaceId, operation_id: operationId }),

    findByClaim: (workspaceId: string, claim: string): Promise<EntryDocument | null> =>
      entries.findOne({ workspace_id: workspaceId, claim }),

    findAt: (
      workspaceId: string,
      walletId: string,
      sequence: number,
    ): Promise<EntryDocument | null> =>
      entries.findOne({ workspace_id: workspaceId, wallet_id: walletId, sequence }),

    /** Entries whose wallet may have no snapshot yet: those that the relay has not marked. */
    async anyUnrelayedOfType(workspaceId: string, walletTypeId: string): Promise<boolean> {
      const entry = await entries.findOne(
        { unrelayed: true, workspace_id: workspaceId, wallet_type_id: walletTypeId },
        { projection: { _id: 1 } },
      );
      return entry !== null;
    },

    findMany: (workspaceId: string, ids: readonly string[]): Promise<EntryDocument[]> =>
      entries.find({ workspace_id: workspaceId, _id: { $in: [...ids] } }).toArray(),

    /** What purchases earned that are known under any of some names. */
    findPurchaseEarns: (
      workspaceId: string,
      sourceIds: readonly string[],
    ): Promise<EntryDocument[]> =>
      entries
        .find({
          workspace_id: workspaceId,
          source_id: { $in: [...sourceIds] },
          type: 'earn',
          source_type: 'transaction',
        })
        .sort({ _id: 1 })
        .toArray(),

    /** The cancels and refunds of one entry. */
    findReversals: (
      workspaceId: string,
      walletIds: readonly string[],
      entryId: string,
    ): Promise<EntryDocument[]> =>
      entries
        .find({
          workspace_id: workspaceId,
          wallet_id: { $in: [...walletIds] },
          type: 'cancel',
          source_id: entryId,
        })
        .toArray(),

    /** The entries by which other wallets were merged into these. */
    findMergesInto: (
      workspaceId: string,
      walletIds: readonly string[],
    ): Promise<Pick<EntryDocument, 'counterpart'>[]> =>
      entries
        .find({
          workspace_id: workspaceId,
          wallet_id: { $in: [...walletIds] },
          type: 'transfer_in',
          source_type: 'merge',
        })
        .project<Pick<EntryDocument, 'counterpart'>>({ counterpart: 1 })
        .toArray(),

    /** Wallets with entries that the relay has not marked: their snapshots may lag. */
    /** Those of some wallets that have entries which the relay has not marked. */
    unrelayedAmong: async (
      workspaceId: string,
      walletIds: readonly string[],
    ): Promise<string[]> => {
      const filter = { unrelayed: true as const, workspace_id: workspaceId };
      const rows = await entries
        .find({ ...filter, wallet_id: { $in: [...walletIds] } }, { hint: UNRELAYED })
        .project<{ wallet_id: string }>({ _id: 0, wallet_id: 1 })
        .batchSize(100_000)
        .toArray();
      return [...new Set(rows.map((row) => row.wallet_id))];
    },

    unrelayedWallets: async (workspaceId: string): Promise<string[]> => {
      const rows = await entries
        .find({ unrelayed: true, workspace_id: workspaceId })
        .project<{ wallet_id: string }>({ _id: 0, wallet_id: 1 })
        .batchSize(100_000)
        .toArray();
      return [...new Set(rows.map((row) => row.wallet_id))];
    },

    /**
     * The last entry of a wallet by `at`. Sequences have no holes and times never run backwards within a
     * wallet, so it is found by halving; `near` is any sequence that is known to exist, 0 for none.
     */
    async lastBy(
      workspaceId: string,
      walletId: string,
      near: number,
      at: Date,
    ): Promise<EntryDocument | null> {
      const read = (sequence: number): Promise<EntryDocument | null> =>
        entries.findOne({ workspace_id: workspaceId, wallet_id: walletId, sequence });
      let low = 0;
      let found: EntryDocument | null = null;
      let high = Math.max(1, near);
      for (;;) {
        const entry = await read(high);
        if (!entry || entry.created_at > at) break;
        found = entry;
        low = high;
        high *= 2;
      }
      while (low + 1 < high) {
        const middle = Math.floor((low + high) / 2);
        const entry = await read(middle);
        if (entry && entry.created_at <= at) {
          found = entry;
          low = middle;
        } else high = middle;
      }
      return found;
    },

    findOfWallets: (workspaceId: string, walletIds: readonly string[]): Promise<EntryDocument[]> =>
      entries
        .find({ workspace_id: workspaceId, wallet_id: { $in: [...walletIds] } })
        .sort({ _id: 1 })
        .batchSize(5_000)
        .toArray(),

    /** Erases the free text and the key of its digest; returns on how many entries. */
    async eraseNotes(workspaceId: string, walletIds: readonly string[]): Promise<number> {
      const { modifiedCount } = await entries.updateMany(
        { workspace_id: workspaceId, wallet_id: { $in: [...walletIds] }, note: { $ne: null } },
        { $set: { note: null } },
      );
      return modifiedCount;
    },

    /** Entries of one wallet after `sequence`, in order. */
    tail: (workspaceId: string, walletId: string, sequence: number): Promise<EntryDocument[]> =>
      entries
        .find({ workspace_id: workspaceId, wallet_id: walletId, sequence: { $gt: sequence } })
        .sort({ sequence: 1 })
        .batchSize(5_000)
        .toArray(),

    /** Whatever has been committed already for some commands, by their operations or claims. */
    async findRepeats(commands: readonly Repeatable[]): Promise<EntryDocument[]> {
      const found: EntryDocument[] = [];
      for (const workspaceId of new Set(commands.map((command) => command.workspaceId))) {
        const own = commands.filter((command) => command.workspaceId === workspaceId);
        const operations = own.map(({ operationId }) => operationId);
        const claims = own.flatMap(({ claim }) => (claim === undefined ? [] : [claim]));
        found.push(
          ...(await entries
            .find({ workspace_id: workspaceId, operation_id: { $in: operations } })
            .toArray()),
        );
        if (claims.length === 0) continue;
        found.push(
          ...(await entries.find({ workspace_id: workspaceId, claim: { $in: claims } }).toArray()),
        );
      }
      return found;
    },

    /** Moves the status markers that some committed entries ask for. Order and repetition are harmless. */
    async applyMarks(committed: readonly EntryDocument[]): Promise<void> {
      const marking = committed.filter(({ marks }) => marks.length > 0);
      if (marking.length === 0) return;
      await entries.bulkWrite(
        marking.flatMap(({ workspace_id, created_at, marks }) =>
          marks.map(({ entry_id, status }) => ({
            updateOne: {
              filter: { workspace_id, _id: entry_id, status_at: { $lte: created_at } },
              update: { $set: { status, status_at: created_at } },
            },
          })),
        ),
        { ordered: true },
      );
    },
  };
}

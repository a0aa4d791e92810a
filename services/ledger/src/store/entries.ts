import { type Connection, collection } from '@laurel/mongo';
import type { EntryDocument } from './documents';
import { PURCHASE, takenBack } from './taken-back';
import { logsOfWallets } from './wallet-logs';
import { idsWithin, ofScope, type WalletRange, type WalletScope } from './wallet-range';

/** Holds the entries of a workspace in the order of their times. */
export const NEWEST = 'newest';
/** Holds the few entries that the relay has not marked. */
export const UNRELAYED = 'unrelayed';

/**
 * The unique indexes are what makes an operation commit once: a place in the log, an operation, a claim (an external_id,
 * or the reversal of an entry) can each be taken only once.
 */
export const entries = collection<EntryDocument>('entries', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'by hand: use-cases/merge-client-wallets.ts',
    // Those of clients that were merged into the person are theirs, too.
    anonymized: 'by hand: use-cases/scrub-client.ts',
    deleted: 'as anonymized',
    exported: 'by hand: use-cases/export-client.ts',
  },
  growth: {
    per: 'operation',
    end: 'stays: the log is the truth; years that are closed to cold storage under their checkpoint (not built)',
    shardKey: ['workspace_id', 'wallet_id'],
    wayOut: {
      operation:
        'takes the wallet in: who calls knows it, and `operations` keeps a key to one wallet',
      claim: 'takes the wallet in: a claim names it already',
    },
  },
  indexes: [
    { key: { workspace_id: 1, wallet_id: 1, sequence: 1 }, name: 'place', unique: true },
    { key: { workspace_id: 1, operation_id: 1 }, name: 'operation', unique: true },
    {
      key: { workspace_id: 1, claim: 1 },
      name: 'claim',
      unique: true,
      partialFilterExpression: { claim: { $exists: true } },
    },
    { key: { workspace_id: 1, _id: 1 }, name: NEWEST },
    {
      key: { workspace_id: 1, source_id: 1 },
      name: PURCHASE,
      partialFilterExpression: { type: 'earn', source_type: 'transaction' },
    },
    {
      key: { workspace_id: 1, source_id: 1 },
      name: 'reversals',
      partialFilterExpression: { type: 'cancel' },
    },
    {
      key: { workspace_id: 1, wallet_id: 1 },
      name: 'merges',
      partialFilterExpression: { type: 'transfer_in', source_type: 'merge' },
    },
    {
      key: { unrelayed: 1, _id: 1 },
      name: UNRELAYED,
      partialFilterExpression: { unrelayed: true },
    },
  ],
});

type EntryRows = ReturnType<typeof entries.open>;

export interface Repeatable {
  workspaceId: string;
  operationId: string;
  claim?: string | undefined;
}

/** What one side of a transfer says of it. */
export type HalfDocument = Pick<
  EntryDocument,
  '_id' | 'wallet_id' | 'sequence' | 'change' | 'counterpart'
>;

export type EntryStore = ReturnType<typeof createEntryStore>;

/** The log. Nothing here changes or removes an entry's hashed part. */
export function createEntryStore(connection: Connection) {
  const rows = entries.open(connection);
  return {
    collection: rows.ofEverybody,
    ...singleEntries(rows),
    ...takenBack(rows),
    ...unrelayed(rows),
    ...logsOfWallets(rows),
    ...committed(rows),
  };
}

/** Entries by what names one. */
function singleEntries(rows: EntryRows) {
  return {
    find: (workspaceId: string, id: string): Promise<EntryDocument | null> =>
      rows.of(workspaceId).findOne({ _id: id }),

    findByOperation: (workspaceId: string, operationId: string): Promise<EntryDocument | null> =>
      rows.of(workspaceId).findOne({ operation_id: operationId }),

    findByClaim: (workspaceId: string, claim: string): Promise<EntryDocument | null> =>
      rows.of(workspaceId).findOne({ claim }),

    findAt: (
      workspaceId: string,
      walletId: string,
      sequence: number,
    ): Promise<EntryDocument | null> =>
      rows.of(workspaceId).findOne({ wallet_id: walletId, sequence }),

    /** What moved by some entries, and by which others. */
    findHalves: (workspaceId: string, ids: readonly string[]): Promise<HalfDocument[]> =>
      rows
        .of(workspaceId)
        .find({ _id: { $in: [...ids] } })
        .project<HalfDocument>({ wallet_id: 1, sequence: 1, change: 1, counterpart: 1 })
        .toArray(),
  };
}

/** Entries that the relay has not marked: the snapshots of their wallets may lag, or not be there yet. */
function unrelayed(rows: EntryRows) {
  const walletsAmong = async (workspaceId: string, which: object): Promise<string[]> => {
    const found = rows
      .of(workspaceId)
      .find({ unrelayed: true, ...which }, { hint: UNRELAYED })
      .project<{ wallet_id: string }>({ _id: 0, wallet_id: 1 })
      .batchSize(100_000);
    const ids = new Set<string>();
    for await (const { wallet_id } of found) ids.add(wallet_id);
    return [...ids];
  };
  return {
    anyUnrelayedOfType: (workspaceId: string, walletTypeId: string): Promise<boolean> =>
      rows.of(workspaceId).has({ unrelayed: true, wallet_type_id: walletTypeId }),

    /** Those of some wallets that have such entries. */
    unrelayedAmong: (workspaceId: string, walletIds: readonly string[]): Promise<string[]> =>
      walletsAmong(workspaceId, { wallet_id: { $in: [...walletIds] } }),

    /** Those of a scope that have such entries. */
    unrelayedOf: ({ workspaceId, ...scope }: WalletScope): Promise<string[]> =>
      walletsAmong(workspaceId, ofScope(scope)),

    /** Those of a scope and range that have such entries. */
    unrelayedWithin: (
      { workspaceId, ...scope }: WalletScope,
      range: WalletRange,
    ): Promise<string[]> =>
      walletsAmong(workspaceId, { ...ofScope(scope), wallet_id: idsWithin(range) }),
  };
}

/** What the log asks and does once its inserts are through. */
function committed(rows: EntryRows) {
  return {
    /** Whatever has been committed already for some commands, by their operations or claims. */
    async findRepeats(commands: readonly Repeatable[]): Promise<EntryDocument[]> {
      const found: EntryDocument[] = [];
      for (const workspaceId of new Set(commands.map((command) => command.workspaceId))) {
        const own = commands.filter((command) => command.workspaceId === workspaceId);
        const operations = own.map(({ operationId }) => operationId);
        const claims = own.flatMap(({ claim }) => (claim === undefined ? [] : [claim]));
        const written = rows.of(workspaceId);
        found.push(...(await written.find({ operation_id: { $in: operations } }).toArray()));
        if (claims.length === 0) continue;
        found.push(...(await written.find({ claim: { $in: claims } }).toArray()));
      }
      return found;
    },

    /** Moves the status markers that some committed entries ask for. Order and repetition are harmless. */
    async applyMarks(written: readonly EntryDocument[]): Promise<void> {
      const marking = written.filter(({ marks }) => marks.length > 0);
      if (marking.length === 0) return;
      await rows.bulkWrite(
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

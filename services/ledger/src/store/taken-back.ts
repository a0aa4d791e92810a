import type { Rows } from '@laurel/mongo';
import type { EntryDocument } from './documents';

/** The index of what was earned under the name of a purchase. */
export const PURCHASE = 'purchase';

/** What refunds, cancels and merges are found by. */
export function takenBack(rows: Rows<EntryDocument>) {
  return {
    /**
     * What purchases earned that are known under any of some names, which very many may have: in some wallets alone, by
     * rules alone and not by callers of the API, or so many of them at most.
     */
    findPurchaseEarns: async (
      workspaceId: string,
      sourceIds: readonly string[],
      {
        walletIds,
        byRule = false,
        limit = 0,
      }: { walletIds?: readonly string[]; byRule?: boolean; limit?: number } = {},
    ): Promise<EntryDocument[]> => {
      const matching = {
        source_id: { $in: [...sourceIds] },
        type: 'earn',
        source_type: 'transaction',
        ...(walletIds ? { wallet_id: { $in: [...walletIds] } } : {}),
        ...(byRule ? { 'cause.chain.0': { $exists: true } } : {}),
      } as const;
      // Sorted here: asked for the first of an order, a store walks the whole workspace in that order until it has found them.
      const found = await rows
        .of(workspaceId)
        .find(matching, walletIds ? {} : { hint: PURCHASE })
        .limit(limit)
        .toArray();
      return found.toSorted((a, b) => (a._id < b._id ? -1 : 1));
    },

    /** The cancels and refunds of one entry. */
    findReversals: (
      workspaceId: string,
      walletIds: readonly string[],
      entryId: string,
    ): Promise<EntryDocument[]> =>
      rows
        .of(workspaceId)
        .find({ wallet_id: { $in: [...walletIds] }, type: 'cancel', source_id: entryId })
        .toArray(),

    /** The cancels and refunds of some entries, in whichever wallets. */
    findReversalsOf: (workspaceId: string, entryIds: readonly string[]): Promise<EntryDocument[]> =>
      rows
        .of(workspaceId)
        .find({ type: 'cancel', source_id: { $in: [...entryIds] } })
        .toArray(),

    /** The entries by which other wallets were merged into these. */
    findMergesInto: (
      workspaceId: string,
      walletIds: readonly string[],
    ): Promise<Pick<EntryDocument, 'counterpart'>[]> =>
      rows
        .of(workspaceId)
        .find({ wallet_id: { $in: [...walletIds] }, type: 'transfer_in', source_type: 'merge' })
        .project<Pick<EntryDocument, 'counterpart'>>({ counterpart: 1 })
        .toArray(),
  };
}

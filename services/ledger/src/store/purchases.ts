import { type Connection, isDuplicateKey } from '@laurel/mongo';

/** What must be known of a purchase when a refund of it comes: which one it was, and how large. */
export interface PurchaseDocument {
  /** Id of the purchase event. */
  _id: string;
  workspace_id: string;
  /** Every name under which a refund may refer to it. */
  names: string[];
  /** Units of money. */
  amount: number;
}

export type PurchaseStore = ReturnType<typeof createPurchaseStore>;

export function createPurchaseStore(connection: Connection) {
  const purchases = connection.collection<PurchaseDocument>('purchases');

  return {
    async note(purchase: PurchaseDocument): Promise<void> {
      try {
        await purchases.insertOne(purchase);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    findNamed: (workspaceId: string, names: readonly string[]): Promise<PurchaseDocument[]> =>
      purchases.find({ workspace_id: workspaceId, names: { $in: [...names] } }).toArray(),
  };
}

import { type Connection, isDuplicateKey } from '@laurel/mongo';

/** Ratios are whole numbers of this: exact, and fine enough for any two amounts of money. */
export const WHOLE = 1_000_000_000_000;
/** What rounding may add when thirds and sevenths are put together again. */
export const ROUNDING = 1_000;

export interface RefundStep {
  entry_id: string;
  /** Units that are to be taken back for this earn. */
  due: number;
}
export interface RefundDocument {
  id: string;
  operation_id: string;
  external_id: string | null;
  ratio: number;
  at: Date;
  steps: RefundStep[];
  done: boolean;
}
/** All refunds of one purchase: together they are at most the whole of it. */
export interface PurchaseRefundsDocument {
  _id: string;
  workspace_id: string;
  source_id: string;
  ratio_total: number;
  refunds: RefundDocument[];
  /** Of refund events: the events of the sales, by which rules name what they earn for them, and whose they were. */
  sales?: { ids: string[]; client_id: string };
  /** There only while a refund may be half done. */
  open?: true;
}

export type PurchaseRefundStore = ReturnType<typeof createPurchaseRefundStore>;

export function createPurchaseRefundStore(connection: Connection) {
  const purchases = connection.collection<PurchaseRefundsDocument>('purchase_refunds');

  return {
    find: (workspaceId: string, sourceId: string): Promise<PurchaseRefundsDocument | null> =>
      purchases.findOne({ workspace_id: workspaceId, source_id: sourceId }),

    /** What was refunded of a sale by events, alone or with others. */
    ofSale: (workspaceId: string, saleId: string): Promise<PurchaseRefundsDocument[]> =>
      purchases.find({ workspace_id: workspaceId, 'sales.ids': saleId }).toArray(),

    /** Gives the refunded sales of a client to another, whom it was merged into. */
    async moveClient(workspaceId: string, from: string, to: string): Promise<void> {
      await purchases.updateMany(
        { workspace_id: workspaceId, 'sales.client_id': from },
        { $set: { 'sales.client_id': to } },
      );
    },

    /** Makes the row of a purchase that was never refunded. */
    async open(document: PurchaseRefundsDocument): Promise<void> {
      try {
        await purchases.insertOne(document);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    /** Adds a refund unless another one came first; false then. */
    async add(before: PurchaseRefundsDocument, refund: RefundDocument): Promise<boolean> {
      const ratioTotal = Math.min(WHOLE, before.ratio_total + refund.ratio);
      const { modifiedCount } = await purchases.updateOne(
        { _id: before._id, refunds: { $size: before.refunds.length } },
        { $set: { ratio_total: ratioTotal, open: true }, $push: { refunds: refund } },
      );
      return modifiedCount === 1;
    },

    /** Adds to a refund what came to light after it was written down, unless that is there. */
    async addStep(
      { _id }: PurchaseRefundsDocument,
      refundId: string,
      step: RefundStep,
    ): Promise<void> {
      const without = { id: refundId, 'steps.entry_id': { $ne: step.entry_id } };
      await purchases.updateOne(
        { _id, refunds: { $elemMatch: without } },
        { $push: { 'refunds.$.steps': step }, $set: { 'refunds.$.done': false, open: true } },
      );
    },

    /** Notes that a refund is through, unless another step was added to it meanwhile. */
    async finish(
      purchase: PurchaseRefundsDocument,
      { id, steps }: Pick<RefundDocument, 'id' | 'steps'>,
    ): Promise<void> {
      await purchases.updateOne(
        { _id: purchase._id, refunds: { $elemMatch: { id, steps: { $size: steps.length } } } },
        { $set: { 'refunds.$.done': true } },
      );
      await purchases.updateOne(
        { _id: purchase._id, refunds: { $not: { $elemMatch: { done: false } } } },
        { $unset: { open: '' } },
      );
    },

    unfinished: (limit: number): Promise<PurchaseRefundsDocument[]> =>
      purchases.find({ open: true }).limit(limit).toArray(),
  };
}

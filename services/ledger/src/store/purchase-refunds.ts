import { createHash } from 'node:crypto';
import {
  type Connection,
  collection,
  isDuplicateKey,
  type Merge,
  type Rows,
  type Unit,
} from '@laurel/mongo';
import { WHOLE } from '../domain/refund-shares';

export interface RefundStep {
  entry_id: string;
  /** Units that are to be taken back for this earn. */
  due: number;
  /** Of calls: a rule earned it after the call, whose answer does not count it. */
  late?: true;
}
export interface RefundDocument {
  id: string;
  operation_id: string;
  /** Stands for what was asked under the caller's Idempotency-Key, where there was one. */
  fingerprint?: string;
  external_id: string | null;
  /** In 1 / WHOLE. */
  ratio: number;
  at: Date;
  steps: RefundStep[];
  done: boolean;
  /** Of a call that named one: the client whose sales alone it is of. */
  client_id?: string;
  /** Of refund events: it is of what the sales earned under names that they share, and not under their own ids. */
  shared?: true;
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
  /** Of calls: how many refunds by events of the same earns were written down since its first. */
  overtaken?: number;
}

export const purchaseRefunds = collection<PurchaseRefundsDocument>('purchase_refunds', {
  tenant: 'workspace_id',
  person: {
    column:
      'none: of refund events in `sales`; `refunds.client_id` stays as a call named it, for its repeats',
    merged: moveSales,
    anonymized: 'stays: numbers beside ids',
    deleted: 'as anonymized',
    exported: 'withheld: the entries that took back what was earned say the same',
  },
  growth: {
    per: 'refunded purchase',
    end: 'stays: what says that all refunds of a purchase are at most the whole',
    shardKey: ['workspace_id', 'source_id'],
  },
  indexes: [
    { key: { workspace_id: 1, source_id: 1 }, name: 'purchase', unique: true },
    { key: { open: 1 }, name: 'open', partialFilterExpression: { open: true } },
    { key: { workspace_id: 1, 'sales.ids': 1 }, name: 'sales' },
    {
      key: { workspace_id: 1, 'refunds.steps.entry_id': 1 },
      name: 'earns',
      partialFilterExpression: { sales: { $exists: true } },
    },
    { key: { workspace_id: 1, 'sales.client_id': 1 }, name: 'of_client' },
  ],
});

export type PurchaseRefundStore = ReturnType<typeof createPurchaseRefundStore>;

export function createPurchaseRefundStore(connection: Connection) {
  const rows = purchaseRefunds.open(connection);

  /** Leaves a purchase to rest whose refunds are all through. */
  async function close({
    _id,
    workspace_id: workspaceId,
  }: Pick<PurchaseRefundsDocument, '_id' | 'workspace_id'>): Promise<void> {
    const through = { _id, refunds: { $not: { $elemMatch: { done: false } } } };
    await rows.of(workspaceId).updateOne(through, { $unset: { open: '' } });
  }

  return {
    find: (workspaceId: string, sourceId: string): Promise<PurchaseRefundsDocument | null> =>
      rows.of(workspaceId).findOne({ source_id: sourceId }),

    ...refundsByEvents(rows),

    /** Makes the row of a purchase that was never refunded. */
    async open(document: PurchaseRefundsDocument): Promise<void> {
      try {
        await rows.insertOne(document);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },

    /** Adds a refund unless another one came first; false then. */
    async add(before: PurchaseRefundsDocument, refund: RefundDocument): Promise<boolean> {
      const ratioTotal = Math.min(WHOLE, before.ratio_total + refund.ratio);
      const { modifiedCount } = await rows.of(before.workspace_id).updateOne(
        {
          _id: before._id,
          refunds: { $size: before.refunds.length },
          overtaken: before.overtaken ?? { $exists: false },
        },
        { $set: { ratio_total: ratioTotal, open: true }, $push: { refunds: refund } },
      );
      return modifiedCount === 1;
    },

    /** Adds to a refund what came to light after it was written down, unless that is there. */
    async addStep(
      { _id, workspace_id: workspaceId }: PurchaseRefundsDocument,
      refundId: string,
      step: RefundStep,
    ): Promise<void> {
      const without = { id: refundId, 'steps.entry_id': { $ne: step.entry_id } };
      await rows
        .of(workspaceId)
        .updateOne(
          { _id, refunds: { $elemMatch: without } },
          { $push: { 'refunds.$.steps': step }, $set: { 'refunds.$.done': false, open: true } },
        );
    },

    /** Notes that a refund is through, unless another step was added to it meanwhile. */
    async finish(
      { _id, workspace_id: workspaceId }: PurchaseRefundsDocument,
      { id, steps }: Pick<RefundDocument, 'id' | 'steps'>,
    ): Promise<void> {
      await rows
        .of(workspaceId)
        .updateOne(
          { _id, refunds: { $elemMatch: { id, steps: { $size: steps.length } } } },
          { $set: { 'refunds.$.done': true } },
        );
      await close({ _id, workspace_id: workspaceId });
    },

    close,

    /** A page of the purchases of which a refund may be half done, after one of them. */
    unfinished: (limit: number, after = ''): Promise<PurchaseRefundsDocument[]> =>
      rows.ofEverybody
        .find({ open: true, _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
  };
}

/** So many sales at most make up a key of their ids; of more it is a digest of them. */
const IDS_IN_KEY_MAX = 100;

const idsOf = (saleIds: readonly string[]): string => `sales:${[...saleIds].sort().join(',')}`;

/** What refunds by events are added up under: the same sales are the same row, whatever a refund called them. */
export const keyOfSales = (saleIds: readonly string[]): string =>
  saleIds.length > IDS_IN_KEY_MAX
    ? `sales:sha256:${createHash('sha256').update(idsOf(saleIds)).digest('hex')}`
    : idsOf(saleIds);

function refundsByEvents(rows: Rows<PurchaseRefundsDocument>) {
  return {
    /** What was refunded of just these sales together; the release before had their ids in the key, however many. */
    async ofSales(
      workspaceId: string,
      saleIds: readonly string[],
    ): Promise<PurchaseRefundsDocument | null> {
      const keys = [...new Set([idsOf(saleIds), keyOfSales(saleIds)])];
      const found = await rows
        .of(workspaceId)
        .find({ source_id: { $in: keys } })
        .toArray();
      return found.find(({ source_id }) => source_id === keys[0]) ?? found[0] ?? null;
    },

    /** What was refunded of any of some sales: by events, alone or with others, and by calls that named one by its event. */
    bearing: (
      workspaceId: string,
      saleIds: readonly string[],
    ): Promise<PurchaseRefundsDocument[]> => {
      const any = { $in: [...saleIds] };
      return rows
        .of(workspaceId)
        .find({ $or: [{ 'sales.ids': any }, { source_id: any }] })
        .toArray();
    },

    /** What was refunded by events of any of some earns, or of a sale. */
    async ofEarns(
      workspaceId: string,
      { ids, saleId }: { ids: readonly string[]; saleId?: string },
    ): Promise<PurchaseRefundsDocument[]> {
      const earns = { sales: { $exists: true }, 'refunds.steps.entry_id': { $in: [...ids] } };
      const filter = saleId === undefined ? earns : { $or: [{ 'sales.ids': saleId }, earns] };
      return rows.of(workspaceId).find(filter).toArray();
    },

    /** Says to calls about some names that an event refunded something meanwhile. */
    async overtake(workspaceId: string, names: readonly string[]): Promise<void> {
      const calls = { source_id: { $in: [...names] } };
      await rows.of(workspaceId).updateMany(calls, { $inc: { overtaken: 1 } });
    },
  };
}

/** Gives the refunded sales of a client to another, whom it was merged into. */
async function moveSales(
  { rows, session }: Unit<PurchaseRefundsDocument>,
  { source, target }: Merge,
): Promise<void> {
  const moved = { $set: { 'sales.client_id': target } };
  await rows.updateMany({ 'sales.client_id': source }, moved, { session });
}

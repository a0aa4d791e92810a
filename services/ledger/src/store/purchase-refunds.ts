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
  /** All its steps are through: what they could not take by then is a shortfall, and is not tried again. */
  done: boolean;
  /** Where a step was added later, so that it is not done again: the earns whose steps are through all the same. */
  through?: string[];
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

type Row = Pick<PurchaseRefundsDocument, '_id' | 'workspace_id'>;
/** Some or all steps of a refund. */
type Steps = Pick<RefundDocument, 'id' | 'steps'>;
/** A refund as it was seen before. */
type Seen = Pick<RefundDocument, 'id' | 'steps' | 'done'>;

export type PurchaseRefundStore = ReturnType<typeof createPurchaseRefundStore>;

export function createPurchaseRefundStore(connection: Connection) {
  const rows = purchaseRefunds.open(connection);

  return {
    find: (workspaceId: string, sourceId: string): Promise<PurchaseRefundsDocument | null> =>
      rows.of(workspaceId).findOne({ source_id: sourceId }),

    ...refundsByEvents(rows),
    ...stepsOfRefunds(rows),

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

    /** A page of the purchases of which a refund may be half done, after one of them. */
    unfinished: (limit: number, after = ''): Promise<PurchaseRefundsDocument[]> =>
      rows.ofEverybody
        .find({ open: true, _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
  };
}

/** What of a refund is still to do, and what is not tried again. */
function stepsOfRefunds(rows: Rows<PurchaseRefundsDocument>) {
  const ofSize = (id: string, size: number) => ({ $elemMatch: { id, steps: { $size: size } } });

  /** Leaves a purchase to rest whose refunds are all through. */
  async function close({ _id, workspace_id: workspaceId }: Row): Promise<void> {
    const through = { _id, refunds: { $not: { $elemMatch: { done: false } } } };
    await rows.of(workspaceId).updateOne(through, { $unset: { open: '' } });
  }

  return {
    close,

    /**
     * Adds to a refund what came to light after it was written down, unless that is there. One that was done is so no more:
     * which of its steps are through is kept, for one that came to nothing left no entry that says so.
     */
    async addStep(
      { _id, workspace_id: workspaceId }: Row,
      refund: Seen,
      step: RefundStep,
    ): Promise<void> {
      const own = rows.of(workspaceId);
      let seen: Seen | undefined = refund;
      while (seen && !idsOfSteps(seen).includes(step.entry_id)) {
        const { id, done, steps }: Seen = seen;
        const refunds = { $elemMatch: { id, done, steps: { $size: steps.length } } };
        const { modifiedCount } = await own.updateOne(
          { _id, refunds },
          {
            $push: { 'refunds.$.steps': step },
            $set: { 'refunds.$.done': false, open: true },
            ...(done ? { $addToSet: { 'refunds.$.through': { $each: idsOfSteps(seen) } } } : {}),
          },
        );
        if (modifiedCount === 1) return;
        seen = (await own.findOne({ _id }))?.refunds.find((one) => one.id === id);
      }
    },

    /** Notes which steps of a refund are through; where these are all, so is the refund. */
    async finish({ _id, workspace_id: workspaceId }: Row, refund: Steps): Promise<void> {
      const own = rows.of(workspaceId);
      const { id, steps } = refund;
      const done = { $set: { 'refunds.$.done': true } };
      const { matchedCount } = await own.updateOne(
        { _id, refunds: ofSize(id, steps.length) },
        done,
      );
      if (matchedCount === 0) {
        // There are others, in other hands: the last to end finds that nothing is left.
        const after = await own.findOneAndUpdate(
          { _id, refunds: { $elemMatch: { id } } },
          { $addToSet: { 'refunds.$.through': { $each: idsOfSteps(refund) } } },
          { returnDocument: 'after' },
        );
        const now = after?.refunds.find((one) => one.id === id);
        if (now && idsOfSteps(now).every((step) => now.through?.includes(step)))
          await own.updateOne({ _id, refunds: ofSize(id, now.steps.length) }, done);
      }
      await close({ _id, workspace_id: workspaceId });
    },
  };
}

const idsOfSteps = ({ steps }: Pick<RefundDocument, 'steps'>): string[] =>
  steps.map(({ entry_id }) => entry_id);

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

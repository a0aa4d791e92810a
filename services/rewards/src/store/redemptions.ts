import { createSharedLookups, currentContext } from '@laurel/lifecycle';
import {
  beneath,
  type Connection,
  collection,
  numberedPage,
  type Rows,
  refuseAnotherRequest,
  type Session,
} from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { Redemption } from '../domain/redemption';
import { type RedemptionDocument, toRedemption } from './mapping';
import { type RedemptionFilter, toFilter } from './redemption-filter';
import { countsOf, talliesOf } from './redemption-tallies';

/** Cancellations on their way. */
const DUE = { formerly: 'cancellation_due_at' };

/** Fulfilled and cancelled redemptions; nothing is here before its points, counters and coupon are settled. */
export const redemptions = collection<RedemptionDocument>('redemptions', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: 'moves',
    // They stay, for the books; only the free-form part may name a person.
    anonymized: { set: { metadata: {} } },
    deleted: 'as anonymized',
    exported: 'shown',
  },
  growth: {
    per: 'redemption',
    end: 'stays: listed',
    shardKey: 'hashed _id',
    wayOut: {
      operation_unique: 'the digest of the operation as `_id`',
    },
  },
  indexes: [
    { key: { workspace_id: 1, operation_key: 1 }, name: 'operation_unique', unique: true },
    { key: { workspace_id: 1, redemption_date: -1, _id: -1 }, name: 'newest' },
    { key: { workspace_id: 1, client_id: 1, redemption_date: -1, _id: -1 }, name: 'client' },
    { key: { workspace_id: 1, reward_id: 1, redemption_date: -1, _id: -1 }, name: 'reward' },
    dueIndex(DUE),
  ],
});

/** A redemption that is to be, and the operation that it is of. */
export interface NewRedemption {
  redemption: Redemption;
  operationKey: string;
  /** Of the request that it is part of (`Context`), where there was a key. */
  fingerprint?: string;
}

const NEWEST_FIRST = { redemption_date: -1, _id: -1 } as const;

export function createRedemptionStore(connection: Connection) {
  const rows = redemptions.open(connection);
  const found = (document: RedemptionDocument | null) => document && toRedemption(document);
  return {
    ...operationsOf(rows),
    ...cancellationsOf(connection, rows),
    ...countsOf(rows),
    ...talliesOf(rows),

    /** Fails as a duplicate key when the operation of one of them has redeemed already. */
    async insertAll(added: readonly NewRedemption[], session: Session): Promise<void> {
      const documents = added.map(
        ({ redemption: { id, ...columns }, operationKey, fingerprint }) => ({
          _id: id,
          ...columns,
          operation_key: operationKey,
          ...(fingerprint === undefined ? {} : { fingerprint }),
        }),
      );
      await rows.insertMany(documents, { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Redemption | null> {
      return found(await rows.of(workspaceId).findOne({ _id: id }, { session }));
    },

    isRedeemed: (workspaceId: string, rewardId: string): Promise<boolean> =>
      rows.of(workspaceId).has({ reward_id: rewardId }),

    async list(
      workspaceId: string,
      filter: RedemptionFilter,
      page: { limit: number; offset: number },
    ): Promise<{ redemptions: Redemption[]; total: number }> {
      const listing = { filter: toFilter(filter), sort: NEWEST_FIRST };
      const { documents, total } = await numberedPage(rows.of(workspaceId), listing, page);
      return { redemptions: documents.map(toRedemption), total };
    },

    /** Sets or clears used_at of a redemption that is not cancelled; false otherwise. */
    async markUsed(
      workspaceId: string,
      { id, usedAt, operation }: { id: string; usedAt: Date | null; operation: string },
      session: Session,
    ): Promise<boolean> {
      const filter = { _id: id, status: 'fulfilled' as const };
      const change = { $set: { used_at: usedAt, used_operation: operation } };
      return (await rows.of(workspaceId).updateOne(filter, change, { session })).matchedCount === 1;
    },

    /** Whether the redemption was marked used by this very operation. */
    isUsedBy: (
      workspaceId: string,
      { id, operation }: { id: string; operation: string },
      session: Session,
    ): Promise<boolean> =>
      rows.of(workspaceId).has({ _id: id, used_operation: operation }, { session }),
  };
}

/** Finding redemptions by the operation that made them. */
function operationsOf(rows: Rows<RedemptionDocument>) {
  const nameOf = (workspaceId: string, operationKey: string) => `${workspaceId} ${operationKey}`;
  const ofOperation = createSharedLookups<string, RedemptionDocument>(async (names) => {
    const asked = names.map((name) => name.split(' ') as [string, string]);
    const own = rows.ofEverybody.find({
      workspace_id: { $in: [...new Set(asked.map(([workspaceId]) => workspaceId))] },
      operation_key: { $in: asked.map(([, operationKey]) => operationKey) },
    });
    const documents = await own.toArray();
    return new Map(documents.map((row) => [nameOf(row.workspace_id, row.operation_key), row]));
  });

  return {
    /**
     * All who ask while a read is under way share the next one. Throws CONFLICT where the Idempotency-Key that is going on
     * stood for another request.
     */
    async findByOperation(workspaceId: string, operationKey: string): Promise<Redemption | null> {
      const document = await ofOperation(nameOf(workspaceId, operationKey));
      if (!document) return null;
      refuseAnotherRequest(operationKey, document);
      return toRedemption(document);
    },

    /** Throws CONFLICT where the Idempotency-Key that is going on has redeemed another reward, or for another client. */
    async requireUnused(workspaceId: string, operationKey: string): Promise<void> {
      const { operationId, fingerprint } = currentContext();
      if (fingerprint === undefined || !operationKey.startsWith(`${operationId}:`)) return;
      const first = await rows.of(workspaceId).findOne({ operation_key: beneath(operationId) });
      if (first) refuseAnotherRequest(operationId, first);
    },
  };
}

/** Taking redemptions back, by steps that the next caller may go on with. */
function cancellationsOf(connection: Connection, rows: Rows<RedemptionDocument>) {
  const due = createDue<RedemptionDocument, Redemption>(connection, redemptions.collection, {
    ...DUE,
    read: toRedemption,
  });

  return {
    /** Cancellations that their callers began and did not end. */
    cancellationsDue: due,

    /** From here on it is cancelled for everybody; false when it already was. */
    async beginCancellation(
      workspaceId: string,
      id: string,
      { now, dueAt, operation }: { now: Date; dueAt: Date; operation: string },
    ): Promise<boolean> {
      const filter = { _id: id, status: { $ne: 'cancelled' as const } };
      const change = {
        $set: {
          status: 'cancelled' as const,
          cancelled_at: now,
          due_at: dueAt,
          cancel_operation: operation,
        },
      };
      return (await rows.of(workspaceId).updateOne(filter, change)).modifiedCount === 1;
    },

    /** Whether the redemption was cancelled by this very operation. */
    isCancelledBy: (workspaceId: string, id: string, operation: string): Promise<boolean> =>
      rows.of(workspaceId).has({ _id: id, cancel_operation: operation }),

    /** Ends a cancellation with what was refunded; false when somebody else ended it. */
    async endCancellation(
      workspaceId: string,
      { id, refund }: { id: string; refund: NonNullable<Redemption['refund']> },
      session: Session,
    ): Promise<boolean> {
      const filter = { _id: id, due_at: { $exists: true } };
      const ended = { due_at: '', lease: '' } as const;
      const change = { $set: { refund }, $unset: ended };
      return (
        (await rows.of(workspaceId).updateOne(filter, change, { session })).modifiedCount === 1
      );
    },

    /** Takes over one named cancellation that no process works on any more; false when one does, or it ended. */
    async takeOverCancellation(
      workspaceId: string,
      id: string,
      { now, dueAt }: { now: Date; dueAt: Date },
    ): Promise<boolean> {
      const filter = { _id: id, due_at: { $exists: true, $lte: now } };
      const change = { $set: { due_at: dueAt } };
      return (await rows.of(workspaceId).updateOne(filter, change)).modifiedCount === 1;
    },

    /** Lets anybody take a cancellation over at once. */
    async abandonCancellation(workspaceId: string, id: string, now: Date): Promise<void> {
      await rows
        .of(workspaceId)
        .updateOne({ _id: id, due_at: { $exists: true } }, { $set: { due_at: now } });
      due.wake();
    },
  };
}

export type RedemptionStore = ReturnType<typeof createRedemptionStore>;

import { type Units, unitsOf } from '@laurel/amount';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import { createDue, dueIndex } from '@laurel/work';
import type { Redemption } from '../domain/redemption';
import { type RedemptionDocument, toRedemption } from './mapping';

const COLLECTION = 'redemptions';
/** Cancellations on their way. */
const DUE = { formerly: 'cancellation_due_at' };

export const redemptionIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    { key: { workspace_id: 1, operation_key: 1 }, name: 'operation_unique', unique: true },
    { key: { workspace_id: 1, redemption_date: -1, _id: -1 }, name: 'newest' },
    { key: { workspace_id: 1, client_id: 1, redemption_date: -1, _id: -1 }, name: 'client' },
    { key: { workspace_id: 1, reward_id: 1, redemption_date: -1, _id: -1 }, name: 'reward' },
    dueIndex(DUE),
  ],
};

export interface RedemptionFilter {
  rewardId?: string | undefined;
  clientId?: string | undefined;
  status?: string | undefined;
  excludeCancelled?: boolean | undefined;
  source?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

export interface Tally {
  count: number;
  points: Units;
}

const NEWEST_FIRST = { redemption_date: -1, _id: -1 } as const;
const TALLY = { count: { $sum: 1 }, points: { $sum: '$points_spent' } } as const;

/** Fulfilled and cancelled redemptions; nothing is here before its points, counters and coupon are settled. */
export function createRedemptionStore(connection: Connection) {
  const redemptions = connection.collection<RedemptionDocument>(COLLECTION);
  const found = (document: RedemptionDocument | null) => document && toRedemption(document);
  const due = createDue<RedemptionDocument, Redemption>(connection, COLLECTION, {
    ...DUE,
    read: toRedemption,
  });

  return {
    /** Cancellations that whoever began them did not end. */
    cancellationsDue: due,

    /** Fails as a duplicate key when the operation has redeemed already. */
    async insert(redemption: Redemption, operationKey: string, session: Session): Promise<void> {
      const { id, ...columns } = redemption;
      await redemptions.insertOne(
        { _id: id, ...columns, operation_key: operationKey },
        { session },
      );
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Redemption | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      return found(await redemptions.findOne(filter, session ? { session } : {}));
    },

    async findByOperation(workspaceId: string, operationKey: string): Promise<Redemption | null> {
      const filter = { workspace_id: workspaceId, operation_key: operationKey };
      return found(await redemptions.findOne(filter));
    },

    async isRedeemed(workspaceId: string, rewardId: string): Promise<boolean> {
      const filter = { workspace_id: workspaceId, reward_id: rewardId };
      return (await redemptions.findOne(filter, { projection: { _id: 1 } })) !== null;
    },

    async list(
      workspaceId: string,
      filter: RedemptionFilter,
      page: { limit: number; offset: number },
    ): Promise<{ redemptions: Redemption[]; total: number }> {
      const matching = toFilter(workspaceId, filter);
      const [documents, total] = await Promise.all([
        redemptions.find(matching).sort(NEWEST_FIRST).skip(page.offset).limit(page.limit).toArray(),
        redemptions.countDocuments(matching),
      ]);
      return { redemptions: documents.map(toRedemption), total };
    },

    async allOf(workspaceId: string, clientId: string): Promise<Redemption[]> {
      const matching = { workspace_id: workspaceId, client_id: clientId };
      return (await redemptions.find(matching, { batchSize: 5_000 }).toArray()).map(toRedemption);
    },

    /** Sets or clears used_at of a redemption that is not cancelled; false otherwise. */
    async markUsed(
      workspaceId: string,
      id: string,
      usedAt: Date | null,
      session: Session,
    ): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId, status: 'fulfilled' as const };
      const change = { $set: { used_at: usedAt } };
      return (await redemptions.updateOne(filter, change, { session })).matchedCount === 1;
    },

    /** From here on it is cancelled for everybody; false when it already was. */
    async beginCancellation(
      workspaceId: string,
      id: string,
      { now, dueAt, operation }: { now: Date; dueAt: Date; operation: string },
    ): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId, status: { $ne: 'cancelled' as const } };
      const change = {
        $set: {
          status: 'cancelled' as const,
          cancelled_at: now,
          due_at: dueAt,
          cancel_operation: operation,
        },
      };
      return (await redemptions.updateOne(filter, change)).modifiedCount === 1;
    },

    /** Whether the redemption was cancelled by this very operation. */
    async isCancelledBy(workspaceId: string, id: string, operation: string): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId, cancel_operation: operation };
      return (await redemptions.findOne(filter, { projection: { _id: 1 } })) !== null;
    },

    /** Ends a cancellation with what was refunded; false when somebody else ended it. */
    async endCancellation(
      workspaceId: string,
      id: string,
      refund: NonNullable<Redemption['refund']>,
      session: Session,
    ): Promise<boolean> {
      const filter = {
        _id: id,
        workspace_id: workspaceId,
        due_at: { $exists: true },
      };
      const ended = { due_at: '', lease: '' } as const;
      const change = { $set: { refund }, $unset: ended };
      return (await redemptions.updateOne(filter, change, { session })).modifiedCount === 1;
    },

    /** Takes over one named cancellation that nobody works on any more; false when somebody does, or it ended. */
    async takeOverCancellation(
      workspaceId: string,
      id: string,
      now: Date,
      dueAt: Date,
    ): Promise<boolean> {
      const filter = {
        _id: id,
        workspace_id: workspaceId,
        due_at: { $exists: true, $lte: now },
      };
      const change = { $set: { due_at: dueAt } };
      return (await redemptions.updateOne(filter, change)).modifiedCount === 1;
    },

    /** Lets anybody take a cancellation over at once. */
    async abandonCancellation(workspaceId: string, id: string, now: Date): Promise<void> {
      await redemptions.updateOne(
        { _id: id, workspace_id: workspaceId, due_at: { $exists: true } },
        { $set: { due_at: now } },
      );
      due.wake();
    },

    /** How many were made from a moment up to another, whatever became of them; counted along an index. */
    countMade: (workspaceId: string, from: Date, until: Date): Promise<number> =>
      redemptions.countDocuments({
        workspace_id: workspaceId,
        redemption_date: { $gte: from, $lt: until },
      }),

    async tallyByReward(
      workspaceId: string,
      filter: RedemptionFilter,
    ): Promise<(Tally & { rewardId: string })[]> {
      const rows = await redemptions
        .aggregate<{ _id: string; count: number; points: number }>([
          { $match: toFilter(workspaceId, filter) },
          { $group: { _id: '$reward_id', ...TALLY } },
        ])
        .toArray();
      return rows.map(({ _id, count, points }) => ({
        rewardId: _id,
        count,
        points: unitsOf(points),
      }));
    },

    /** Tallies by day (UTC), oldest first. */
    async tallyByDay(
      workspaceId: string,
      filter: RedemptionFilter,
    ): Promise<(Tally & { day: string })[]> {
      const day = { $dateToString: { format: '%Y-%m-%d', date: '$redemption_date' } };
      const rows = await redemptions
        .aggregate<{ _id: string; count: number; points: number }>([
          { $match: toFilter(workspaceId, filter) },
          { $group: { _id: day, ...TALLY } },
        ])
        .toArray();
      const tallies = rows.map(({ _id, count, points }) => ({
        day: _id,
        count,
        points: unitsOf(points),
      }));
      return tallies.sort((a, b) => (a.day < b.day ? -1 : 1));
    },

    /** Redemptions of a reward by status, and how many of those not cancelled are used. */
    async statsOf(
      workspaceId: string,
      rewardId: string,
    ): Promise<{ fulfilled: number; cancelled: number; used: number; points: Units }> {
      const matching = { workspace_id: workspaceId, reward_id: rewardId };
      const isCancelled = { $eq: ['$status', 'cancelled'] };
      const isUsed = { $and: [{ $not: [isCancelled] }, { $gt: ['$used_at', null] }] };
      const [row] = await redemptions
        .aggregate<{ all: number; cancelled: number; used: number; points: number }>([
          { $match: matching },
          {
            $group: {
              _id: null,
              all: { $sum: 1 },
              cancelled: { $sum: { $cond: [isCancelled, 1, 0] } },
              used: { $sum: { $cond: [isUsed, 1, 0] } },
              points: { $sum: { $cond: [isCancelled, 0, '$points_spent'] } },
            },
          },
        ])
        .toArray();
      if (!row) return { fulfilled: 0, cancelled: 0, used: 0, points: unitsOf(0) };
      const { all, cancelled, used, points } = row;
      return { fulfilled: all - cancelled, cancelled, used, points: unitsOf(points) };
    },

    async moveClient(
      workspaceId: string,
      from: string,
      to: string,
      session: Session,
    ): Promise<void> {
      const filter = { workspace_id: workspaceId, client_id: from };
      await redemptions.updateMany(filter, { $set: { client_id: to } }, { session });
    },

    /** Empties the free-form part, where a person may be named. */
    async scrubClient(workspaceId: string, clientId: string, session: Session): Promise<void> {
      const filter = { workspace_id: workspaceId, client_id: clientId };
      await redemptions.updateMany(filter, { $set: { metadata: {} } }, { session });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await redemptions.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function toFilter(workspaceId: string, filter: RedemptionFilter): Record<string, unknown> {
  const { rewardId, clientId, status, excludeCancelled, source, from, to } = filter;
  return {
    workspace_id: workspaceId,
    ...(rewardId === undefined ? {} : { reward_id: rewardId }),
    ...(clientId === undefined ? {} : { client_id: clientId }),
    ...(source === undefined ? {} : { source }),
    ...(status === undefined ? {} : { status }),
    ...(status === undefined && excludeCancelled ? { status: { $ne: 'cancelled' } } : {}),
    ...(from || to
      ? { redemption_date: { ...(from ? { $gte: from } : {}), ...(to ? { $lte: to } : {}) } }
      : {}),
  };
}

export type RedemptionStore = ReturnType<typeof createRedemptionStore>;

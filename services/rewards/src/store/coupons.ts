import type { CouponStatus } from '@laurel/contract';
import {
  type Connection,
  collection,
  type Erasure,
  type Rows,
  type Session,
  type Unit,
} from '@laurel/mongo';
import type { Coupon } from '../domain/coupon';
import { codeKey } from '../domain/pattern';
import { type CouponDocument, toCoupon } from './mapping';
import { redemptions } from './redemptions';

/** How many free coupons one claimer looks at, so that claimers at once do not all want the same one. */
const CANDIDATES = 64;

/** A coupon names no client: it is whose redemption it is of. */
export const coupons = collection<CouponDocument>('coupons', {
  tenant: 'workspace_id',
  person: {
    column: 'none: its redemption names the client',
    merged: 'stays: it goes with its redemption',
    anonymized: 'stays: nothing in it says who it was',
    deleted: voidIssued,
    exported: 'withheld: the redemption is shown with its code',
  },
  growth: {
    per: 'code',
    end: 'stays: a code counts once, for ever',
    shardKey: ['workspace_id', 'code_key'],
    wayOut: {
      redemption_unique: 'a slot: a document whose `_id` is the redemption',
      claim_unique: 'a slot: a document whose `_id` is the claim',
    },
  },
  indexes: [
    { key: { workspace_id: 1, code_key: 1 }, name: 'code_unique', unique: true },
    {
      key: { workspace_id: 1, redemption_id: 1 },
      name: 'redemption_unique',
      unique: true,
      partialFilterExpression: { redemption_id: { $type: 'string' } },
    },
    {
      key: { workspace_id: 1, claimed_by: 1 },
      name: 'claim_unique',
      unique: true,
      partialFilterExpression: { claimed_by: { $type: 'string' } },
    },
    { key: { workspace_id: 1, reward_id: 1, status: 1 }, name: 'reward' },
  ],
});

/** A coupon, and the redemption that it is, or was, given to. */
export interface Issue {
  id: string;
  redemptionId: string;
}

/** So many are enough; how many more there are does not matter. */
const STOCK_MAX = 100;

/** Coupon codes, unique in their workspace whatever their case. */
export function createCouponStore(connection: Connection) {
  const rows = coupons.open(connection);
  const found = (document: CouponDocument | null) => document && toCoupon(document);
  return {
    ...poolOf(rows),
    ...issuedOf(rows),

    /** Fails as a duplicate key when the workspace has one of the codes. */
    async insertAll(added: readonly Coupon[], session: Session): Promise<void> {
      if (added.length > 0) await rows.insertMany(added.map(toDocument), { session });
    },

    /** Those of the codes that the workspace has already, as keys. */
    async takenKeys(
      workspaceId: string,
      codes: readonly string[],
      session?: Session,
    ): Promise<Set<string>> {
      const filter = { code_key: { $in: codes.map(codeKey) } };
      const options = { projection: { code_key: 1 }, batchSize: 10_000 };
      const found = rows.of(workspaceId).find(filter, { ...options, session });
      return new Set((await found.toArray()).map((row) => row.code_key));
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Coupon | null> {
      return found(await rows.of(workspaceId).findOne({ _id: id }, { session }));
    },

    async findMany(workspaceId: string, ids: readonly string[]): Promise<Map<string, Coupon>> {
      if (ids.length === 0) return new Map();
      const filter = { _id: { $in: [...ids] } };
      const documents = await rows.of(workspaceId).find(filter).toArray();
      return new Map(documents.map((document) => [document._id, toCoupon(document)]));
    },

    async findByCode(workspaceId: string, code: string): Promise<Coupon | null> {
      return found(await rows.of(workspaceId).findOne({ code_key: codeKey(code) }));
    },

    async list(
      workspaceId: string,
      { rewardId, status }: { rewardId: string; status: CouponStatus | undefined },
      page: { limit: number; offset: number },
    ): Promise<{ coupons: Coupon[]; total: number }> {
      const own = rows.of(workspaceId);
      const matching = { reward_id: rewardId, ...(status === undefined ? {} : { status }) };
      const shown = own
        .find(matching)
        .sort({ _id: 1 })
        .skip(page.offset)
        .limit(page.limit)
        .toArray();
      const [documents, total] = await Promise.all([shown, own.count(matching)]);
      return { coupons: documents.map(toCoupon), total };
    },

    async removeReward(workspaceId: string, rewardId: string, session: Session): Promise<void> {
      await rows.of(workspaceId).deleteMany({ reward_id: rewardId }, { session });
    },
  };
}

/** Imported and free. A generated code that came back is not given to somebody else. */
const pool = (rewardId: string) => ({
  reward_id: rewardId,
  status: 'available' as const,
  imported: true,
  claimed_by: null,
});

/** Codes that wait for a redemption. */
function poolOf(rows: Rows<CouponDocument>) {
  return {
    /** How many codes are left of each reward; counted up to a hundred. */
    async stocksOf(
      workspaceId: string,
      rewardIds: readonly string[],
    ): Promise<Map<string, number>> {
      const own = rows.of(workspaceId);
      const counts = await Promise.all(
        rewardIds.map((rewardId) => own.count(pool(rewardId), { limit: STOCK_MAX })),
      );
      return new Map(rewardIds.map((rewardId, index) => [rewardId, counts[index]!]));
    },

    /** How many imported codes a reward has left. */
    countFree: (workspaceId: string, rewardId: string): Promise<number> =>
      rows.of(workspaceId).count(pool(rewardId)),

    /** Whether one is left, also once so many more have gone. */
    hasFree: async (workspaceId: string, rewardId: string, gone = 0): Promise<boolean> =>
      gone === 0
        ? rows.of(workspaceId).has(pool(rewardId))
        : (await rows.of(workspaceId).count(pool(rewardId), { limit: gone + 1 })) > gone,

    /** Sets one imported coupon aside for a redemption on its way; null when none is free. Repeatable. */
    async claim(
      workspaceId: string,
      rewardId: string,
      redemptionId: string,
    ): Promise<Coupon | null> {
      const own = rows.of(workspaceId);
      for (;;) {
        const claimed = await own.findOne({ claimed_by: exactly(redemptionId) });
        if (claimed) return toCoupon(claimed);
        const free = await own
          .find(pool(rewardId), { projection: { _id: 1 } })
          .limit(CANDIDATES)
          .toArray();
        if (free.length === 0) return null;
        const { _id } = free[Math.floor(Math.random() * free.length)]!;
        const change = { $set: { claimed_by: redemptionId } };
        const filter = { _id, ...pool(rewardId) };
        await own.updateOne(filter, change);
      }
    },

    async unclaim(workspaceId: string, redemptionId: string): Promise<void> {
      const change = { $set: { claimed_by: null } };
      await rows.of(workspaceId).updateOne({ claimed_by: exactly(redemptionId) }, change);
    },
  };
}

/** Codes and the redemptions that they are given to. */
function issuedOf(rows: Rows<CouponDocument>) {
  return {
    /** Hands a claimed coupon to its redemption; false when the claim is gone. */
    async issueClaimed(
      workspaceId: string,
      { id, redemptionId }: Issue,
      session: Session,
    ): Promise<boolean> {
      const filter = { _id: id, claimed_by: redemptionId };
      const change = {
        $set: { status: 'issued' as const, redemption_id: redemptionId, claimed_by: null },
      };
      return (
        (await rows.of(workspaceId).updateOne(filter, change, { session })).modifiedCount === 1
      );
    },

    /** Marks the coupon of a redemption used, or issued again when `usedAt` is null. */
    async markUsed(
      workspaceId: string,
      { id, usedAt, isOver }: { id: string; usedAt: Date | null; isOver: boolean },
      session: Session,
    ): Promise<void> {
      const status: CouponStatus = usedAt ? 'used' : isOver ? 'void' : 'issued';
      const change = { $set: { status, used_at: usedAt } };
      await rows.of(workspaceId).updateOne({ _id: id }, change, { session });
    },

    /** Back to available, remembering whose it was. */
    async release(
      workspaceId: string,
      { id, redemptionId }: Issue,
      session: Session,
    ): Promise<void> {
      const filter = { _id: id, redemption_id: redemptionId };
      const change = {
        $set: {
          status: 'available' as const,
          redemption_id: null,
          released_by: redemptionId,
          used_at: null,
        },
      };
      await rows.of(workspaceId).updateOne(filter, change, { session });
    },
  };
}

/** In the words of the partial indexes: MongoDB does not conclude from a text alone that it is one, and reads all coupons. */
const exactly = (id: string) => ({ $eq: id, $type: 'string' as const });

/** A deleted client presents them no more. */
async function voidIssued(
  { rows, connection, session }: Unit<CouponDocument>,
  { workspaceId, clientId }: Erasure,
): Promise<void> {
  const held = redemptions.open(connection).of(workspaceId);
  const withCoupon = held.find({ client_id: clientId, coupon_id: { $ne: null } }, { session });
  const ids = (await withCoupon.project<{ _id: string }>({ _id: 1 }).toArray()).map(
    ({ _id }) => _id,
  );
  const filter = {
    redemption_id: { $in: ids, $type: 'string' as const },
    status: 'issued' as const,
  };
  await rows.updateMany(filter, { $set: { status: 'void' } }, { session });
}

function toDocument({ id, ...columns }: Coupon): CouponDocument {
  return { _id: id, ...columns, code_key: codeKey(columns.code), claimed_by: null };
}

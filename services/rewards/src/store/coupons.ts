import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import type { Coupon, CouponStatus } from '../domain/coupon';
import { codeKey } from '../domain/pattern';
import { type CouponDocument, toCoupon } from './mapping';

const COLLECTION = 'coupons';
/** How many free coupons one claimer looks at, so that claimers at once do not all want the same one. */
const CANDIDATES = 64;

export const couponIndexes: CollectionIndexes = {
  collection: COLLECTION,
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
};

/** So many are enough; how many more there are is nobody's worry. */
const STOCK_MAX = 100;

/** Coupon codes, unique in their workspace whatever their case. */
export function createCouponStore(connection: Connection) {
  const coupons = connection.collection<CouponDocument>(COLLECTION);
  const found = (document: CouponDocument | null) => document && toCoupon(document);
  /** Imported and free. A generated code that came back is not given to somebody else. */
  const pool = (workspaceId: string, rewardId: string) => ({
    workspace_id: workspaceId,
    reward_id: rewardId,
    status: 'available' as const,
    imported: true,
    claimed_by: null,
  });

  return {
    /** Fails as a duplicate key when the workspace has the code. */
    async insert(coupon: Coupon, session: Session): Promise<void> {
      await coupons.insertOne(toDocument(coupon), { session });
    },

    async insertAll(added: readonly Coupon[], session: Session): Promise<void> {
      if (added.length > 0) await coupons.insertMany(added.map(toDocument), { session });
    },

    /** Those of the codes that the workspace has already, as keys. */
    async takenKeys(
      workspaceId: string,
      codes: readonly string[],
      session?: Session,
    ): Promise<Set<string>> {
      const filter = { workspace_id: workspaceId, code_key: { $in: codes.map(codeKey) } };
      const options = { projection: { code_key: 1 }, batchSize: 10_000 };
      const rows = await coupons
        .find(filter, { ...options, ...(session ? { session } : {}) })
        .toArray();
      return new Set(rows.map((row) => row.code_key));
    },

    /** How many codes are left of each reward that ever had any; counted up to a hundred. */
    async stocksOf(
      workspaceId: string,
      rewardIds: readonly string[],
    ): Promise<Map<string, number>> {
      const having = await coupons.distinct('reward_id', {
        workspace_id: workspaceId,
        reward_id: { $in: [...rewardIds] },
      });
      const counts = await Promise.all(
        having.map((rewardId) =>
          coupons.countDocuments(pool(workspaceId, rewardId), { limit: STOCK_MAX }),
        ),
      );
      return new Map(having.map((rewardId, index) => [rewardId, counts[index]!]));
    },

    async hasFree(workspaceId: string, rewardId: string): Promise<boolean> {
      const options = { projection: { _id: 1 } };
      return (await coupons.findOne(pool(workspaceId, rewardId), options)) !== null;
    },

    /** Sets one imported coupon aside for a redemption on its way; null when none is free. Repeatable. */
    async claim(
      workspaceId: string,
      rewardId: string,
      redemptionId: string,
    ): Promise<Coupon | null> {
      const mine = { workspace_id: workspaceId, claimed_by: redemptionId };
      for (;;) {
        const claimed = await coupons.findOne(mine);
        if (claimed) return toCoupon(claimed);
        const free = await coupons
          .find(pool(workspaceId, rewardId), { projection: { _id: 1 } })
          .limit(CANDIDATES)
          .toArray();
        if (free.length === 0) return null;
        const { _id } = free[Math.floor(Math.random() * free.length)]!;
        const change = { $set: { claimed_by: redemptionId } };
        const filter = { _id, ...pool(workspaceId, rewardId) };
        await coupons.updateOne(filter, change);
      }
    },

    async unclaim(workspaceId: string, redemptionId: string): Promise<void> {
      const filter = { workspace_id: workspaceId, claimed_by: redemptionId };
      await coupons.updateOne(filter, { $set: { claimed_by: null } });
    },

    /** Hands a claimed coupon to its redemption; false when the claim is gone. */
    async issueClaimed(
      workspaceId: string,
      id: string,
      redemptionId: string,
      session: Session,
    ): Promise<boolean> {
      const filter = { _id: id, workspace_id: workspaceId, claimed_by: redemptionId };
      const change = {
        $set: { status: 'issued' as const, redemption_id: redemptionId, claimed_by: null },
      };
      return (await coupons.updateOne(filter, change, { session })).modifiedCount === 1;
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<Coupon | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      return found(await coupons.findOne(filter, session ? { session } : {}));
    },

    async findMany(workspaceId: string, ids: readonly string[]): Promise<Map<string, Coupon>> {
      if (ids.length === 0) return new Map();
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      const documents = await coupons.find(filter).toArray();
      return new Map(documents.map((document) => [document._id, toCoupon(document)]));
    },

    async findByCode(workspaceId: string, code: string): Promise<Coupon | null> {
      const filter = { workspace_id: workspaceId, code_key: codeKey(code) };
      return found(await coupons.findOne(filter));
    },

    async list(
      workspaceId: string,
      rewardId: string,
      status: CouponStatus | undefined,
      page: { limit: number; offset: number },
    ): Promise<{ coupons: Coupon[]; total: number }> {
      const matching = {
        workspace_id: workspaceId,
        reward_id: rewardId,
        ...(status === undefined ? {} : { status }),
      };
      const rows = coupons
        .find(matching)
        .sort({ _id: 1 })
        .skip(page.offset)
        .limit(page.limit)
        .toArray();
      const [documents, total] = await Promise.all([rows, coupons.countDocuments(matching)]);
      return { coupons: documents.map(toCoupon), total };
    },

    /** Marks the coupon of a redemption used, or issued again when `usedAt` is null. */
    async markUsed(
      workspaceId: string,
      id: string,
      usedAt: Date | null,
      session: Session,
    ): Promise<void> {
      const status: CouponStatus = usedAt ? 'used' : 'issued';
      const filter = { _id: id, workspace_id: workspaceId };
      await coupons.updateOne(filter, { $set: { status, used_at: usedAt } }, { session });
    },

    /** Back to available, remembering whose it was. */
    async release(
      workspaceId: string,
      id: string,
      redemptionId: string,
      session: Session,
    ): Promise<void> {
      const filter = { _id: id, workspace_id: workspaceId, redemption_id: redemptionId };
      const change = {
        $set: {
          status: 'available' as const,
          redemption_id: null,
          released_by: redemptionId,
          used_at: null,
        },
      };
      await coupons.updateOne(filter, change, { session });
    },

    /** Nobody is left to present them. */
    async voidIssued(
      workspaceId: string,
      redemptionIds: readonly string[],
      session: Session,
    ): Promise<void> {
      await coupons.updateMany(
        {
          workspace_id: workspaceId,
          redemption_id: { $in: [...redemptionIds] },
          status: 'issued',
        },
        { $set: { status: 'void' } },
        { session },
      );
    },

    async removeReward(workspaceId: string, rewardId: string, session: Session): Promise<void> {
      await coupons.deleteMany({ workspace_id: workspaceId, reward_id: rewardId }, { session });
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await coupons.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function toDocument({ id, ...columns }: Coupon): CouponDocument {
  return { _id: id, ...columns, code_key: codeKey(columns.code), claimed_by: null };
}

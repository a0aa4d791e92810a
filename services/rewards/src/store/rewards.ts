import { createSharedLookups, Neighbours } from '@laurel/lifecycle';
import {
  type Connection,
  collection,
  KEY_INDEX,
  numberedPage,
  type Rows,
  refuseTakenKey,
  type Session,
  StaleWrite,
  withoutMissingKey,
} from '@laurel/mongo';
import type { Reward } from '../domain/reward';
import { refusals } from '../refusals';
import { type RewardDocument, toReward, toRewardDocument } from './mapping';

export const rewards = collection<RewardDocument>('rewards', {
  tenant: 'workspace_id',
  person: 'nobody',
  clone: { copied: 'all', but: unused },
  growth: {
    per: 'reward',
    end: 'stays: what a workspace has set up',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, sort_order: 1, date_created: -1, _id: -1 }, name: 'in_order' },
    KEY_INDEX,
  ],
});

const keyTaken = () => refusals.keyTaken({ field: 'key' });

/** In a clone it has not been redeemed. */
function unused(row: RewardDocument): RewardDocument {
  return { ...row, used: 0, marks: [], reservations: 0 };
}

export interface RewardFilter {
  active?: boolean | undefined;
  purchasable?: boolean | undefined;
  key?: string | undefined;
}

/** The mark that a use on its way leaves, and whether it counts towards the limit. */
export interface Taking {
  mark: string;
  counted: boolean;
}

export type Reservation = 'reserved' | 'limit_reached' | 'changed';

/** What every reward read leaves behind: bookkeeping of reservations and imports. */
const projection = { marks: 0, reservations: 0, imports: 0 } as const;
const IN_ORDER = { sort_order: 1, date_created: -1, _id: -1 } as const;

/**
 * Rewards with the count of their uses. A use on its way leaves a mark beside the count it raised, so
 * that counting and giving back happen once each however often they are tried.
 */
export function createRewardStore(connection: Connection) {
  const rows = rewards.open(connection);
  return {
    ...readsOf(rows),
    ...usesOf(rows),

    async insert(reward: Reward, session: Session): Promise<void> {
      await refuseTakenKey(rows.insertOne(toRewardDocument(reward), { session }), keyTaken);
    },

    /** Writes the next revision's fields; throws StaleWrite when another revision came first. Counts stay as they are. */
    async replaceFields(reward: Reward, session: Session): Promise<void> {
      const { id, workspace_id, used: _used, coupons_imported: _imported, ...fields } = reward;
      const filter = { _id: id, revision: reward.revision - 1 };
      const { matchedCount } = await refuseTakenKey(
        rows.of(workspace_id).updateOne(filter, { $set: withoutMissingKey(fields) }, { session }),
        keyTaken,
      );
      if (matchedCount === 0) throw new StaleWrite('the reward');
    },

    /** How often the reward was ever reserved; null when it is gone. */
    async reservationsOf(workspaceId: string, id: string): Promise<number | null> {
      const projection = { reservations: 1 };
      return (
        (await rows.of(workspaceId).findOne({ _id: id }, { projection }))?.reservations ?? null
      );
    },

    /** Removes a reward as it was read, that was not reserved since `reservations` was read and that no redemption is on its way to. */
    async removeUnreserved(
      { workspace_id: workspaceId, id, revision }: Reward,
      reservations: number,
      session: Session,
    ): Promise<boolean> {
      const filter = { _id: id, revision, reservations, marks: { $size: 0 } };
      return (await rows.of(workspaceId).deleteOne(filter, { session })).deletedCount === 1;
    },

    /**
     * Keeps the reward from being deleted until the unit of work ends; false where it is gone. Comes first in it: whatever
     * else is written to the row meanwhile waits, and does not make the import run anew.
     */
    async holdForImport(workspaceId: string, id: string, session: Session): Promise<boolean> {
      const change = { $inc: { imports: 1 } };
      const own = rows.of(workspaceId);
      return (await own.updateOne({ _id: id }, change, { session })).matchedCount === 1;
    },

    async noteImport(workspaceId: string, id: string, session: Session): Promise<void> {
      const filter = { _id: id, coupons_imported: false };
      const change = { $set: { coupons_imported: true } };
      await rows.of(workspaceId).updateOne(filter, change, { session });
    },
  };
}

/** Looking rewards up, without the bookkeeping of their reservations. */
function readsOf(rows: Rows<RewardDocument>) {
  const lookUp = createSharedLookups<string, RewardDocument>(async (ids) => {
    const found = rows.ofEverybody.find({ _id: { $in: [...ids] } }, { projection });
    return new Map((await found.toArray()).map((row) => [row._id, row as RewardDocument]));
  });

  return {
    /** Outside of a transaction all who ask while a read is under way share the next one. */
    async find(workspaceId: string, id: string, session?: Session): Promise<Reward | null> {
      const document = session
        ? await rows.of(workspaceId).findOne({ _id: id }, { projection, session })
        : await lookUp(id);
      return document?.workspace_id === workspaceId ? toReward(document) : null;
    },

    async findMany(workspaceId: string, ids: readonly string[]): Promise<Reward[]> {
      const filter = { _id: { $in: [...ids] } };
      return (await rows.of(workspaceId).find(filter, { projection }).toArray()).map(toReward);
    },

    /** Names by id, of those that are there. */
    async namesOf(workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
      const filter = { _id: { $in: [...new Set(ids)] } };
      const named = rows.of(workspaceId).find(filter, { projection: { name: 1 } });
      return new Map((await named.toArray()).map(({ _id, name }) => [_id, name]));
    },

    async names(workspaceId: string, session: Session): Promise<string[]> {
      const found = rows.of(workspaceId).find({}, { session, projection: { name: 1 } });
      return (await found.toArray()).map(({ name }) => name);
    },

    async list(
      workspaceId: string,
      filter: RewardFilter,
      page: { limit: number; offset: number },
    ): Promise<{ rewards: Reward[]; total: number }> {
      const matching = {
        ...(filter.active === undefined ? {} : { active: filter.active }),
        ...(filter.purchasable === undefined ? {} : { purchasable: filter.purchasable }),
        ...(filter.key === undefined ? {} : { key: filter.key }),
      };
      const listing = { filter: matching, sort: IN_ORDER, projection };
      const { documents, total } = await numberedPage(rows.of(workspaceId), listing, page);
      return { rewards: documents.map(toReward), total };
    },
  };
}

/** Counting uses, those on their way among them. */
function usesOf(rows: Rows<RewardDocument>) {
  const reserving = new Neighbours<Use, Reservation>(
    (waiting) =>
      reserveTogether(
        rows,
        waiting.map(({ item }) => item),
      ),
    undefined,
    (error) => error instanceof NotForAll,
  );

  return {
    /**
     * Takes one use of the reward as it was at `revision`. The limit stands in the filter: no race can
     * exceed it. Repeating it for the same mark takes nothing more.
     */
    reserve: (
      workspaceId: string,
      { id, revision, usage_limit: limit }: Pick<Reward, 'id' | 'revision' | 'usage_limit'>,
      { mark, counted }: Taking,
    ): Promise<Reservation> =>
      reserving.run(`${id} ${revision} ${counted}`, {
        workspaceId,
        id,
        revision,
        limit: counted ? limit : null,
        counted,
        mark,
      }),

    /** Gives a reservation back; does nothing where its mark is not found. */
    async release(workspaceId: string, id: string, { mark, counted }: Taking): Promise<void> {
      const filter = { _id: id, marks: mark };
      const change = { $inc: { used: counted ? -1 : 0 }, $pull: { marks: mark } };
      await rows.of(workspaceId).updateOne(filter, change);
    },

    /** Makes reservations final. */
    async settleAll(workspaceId: string, id: string, marks: readonly string[]): Promise<void> {
      await rows.of(workspaceId).updateOne({ _id: id }, { $pullAll: { marks: [...marks] } });
    },

    /** Gives a final use back, in the unit of work that cancels its redemption. */
    async giveBack(workspaceId: string, id: string, session: Session): Promise<void> {
      const filter = { _id: id, used: { $gt: 0 } };
      await rows.of(workspaceId).updateOne(filter, { $inc: { used: -1 } }, { session });
    },
  };
}

/** One use that is to be taken; uses that are taken together differ by their marks alone. */
interface Use {
  workspaceId: string;
  id: string;
  revision: number;
  limit: number | null;
  counted: boolean;
  mark: string;
}

/** There is not enough for all of them, or one has what it wants, or wants it twice: they are looked at in smaller parts. */
class NotForAll extends Error {}

async function reserveTogether(
  rows: Rows<RewardDocument>,
  uses: readonly Use[],
): Promise<Reservation[]> {
  const [{ workspaceId, id, revision, limit, counted }] = uses as [Use, ...Use[]];
  const marks = uses.map(({ mark }) => mark);
  if (new Set(marks).size < marks.length) throw new NotForAll();
  const filter = {
    _id: id,
    revision,
    marks: { $nin: marks },
    ...(limit === null ? {} : { used: { $lte: limit - marks.length } }),
  };
  const change = {
    $inc: { reservations: marks.length, used: counted ? marks.length : 0 },
    $push: { marks: { $each: marks } },
  };
  const { modifiedCount } = await rows.of(workspaceId).updateOne(filter, change);
  if (modifiedCount === 1) return uses.map(() => 'reserved');
  if (uses.length > 1) throw new NotForAll();
  const projection = { revision: 1, marks: 1 };
  const current = await rows.of(workspaceId).findOne({ _id: id }, { projection });
  if (current?.marks.includes(marks[0]!)) return ['reserved'];
  return [current?.revision === revision ? 'limit_reached' : 'changed'];
}

import {
  type Connection,
  collection,
  orStale,
  type Rows,
  type Session,
  StaleWrite,
  searchPattern,
} from '@laurel/mongo';
import { createDueTimes, ofThisClock } from '@laurel/work';
import type { Facts } from '../domain/evaluate';
import type { Member } from '../domain/member';
import {
  activityOf,
  customFieldKey,
  fromDocument,
  LOYALTY_DISABLED,
  type MemberDocument,
  toDocument,
  UNTIERED,
} from './mapping';

/** The local engine reads a cursor again for every batch, so whole answers come in few of them. */
const IDS_BATCH = 100_000;
const IDS_PAGE = 20_000;
const FACTS_BATCH = 50_000;

export const members = collection<MemberDocument>('members', {
  tenant: 'workspace_id',
  person: {
    column: '_id',
    merged: 'by hand: use-cases/follow-members.ts',
    anonymized: 'by hand: use-cases/follow-members.ts',
    deleted: 'by hand: use-cases/follow-members.ts',
    exported: 'by hand: use-cases/export-client.ts',
  },
  growth: {
    per: 'client',
    end: 'stays: of deleted ones what keeps old events from bringing them back',
    shardKey: 'hashed _id',
  },
  indexes: [
    { key: { workspace_id: 1, group: 1, _id: 1 }, name: 'of_group' },
    { key: { workspace_id: 1, 'tier.id': 1 }, name: 'of_tier' },
    {
      key: { workspace_id: 1, eligible: 1, _id: 1 },
      name: 'eligible',
      partialFilterExpression: { eligible: true },
    },
    { key: { workspace_id: 1, custom_fields: 1 }, name: 'custom_fields' },
    { key: { workspace_id: 1, template_ids: 1 }, name: 'templates' },
    { key: { due_at: 1 }, name: 'due', partialFilterExpression: { due_at: { $exists: true } } },
    {
      key: { ends_at: 1 },
      name: 'ending',
      partialFilterExpression: { ends_at: { $exists: true } },
    },
  ],
});

export interface MemberFilter {
  /** A tier, `untiered` or `loyalty_disabled`. */
  group?: string | undefined;
  /** Tiers that exist: a member of another has lost theirs and counts as untiered. */
  tierIds: readonly string[];
  search?: string | undefined;
  templateId?: string | undefined;
  /** Each of them must hold; any of its values will do. */
  customFields: readonly { name: string; values: readonly string[] }[];
}

export interface PreviewFacts extends Facts {
  clientId: string;
}

/** One document per client of a workspace, deleted ones as tombstones. */
export function createMemberStore(connection: Connection) {
  const rows = members.open(connection);
  return {
    ...createSingleMembers(rows),
    ...createEligibleMembers(rows),
    ...createDueMembers(connection, rows),
    ...createMemberLists(rows),
  };
}

function createSingleMembers(rows: Rows<MemberDocument>) {
  return {
    async find(workspaceId: string, id: string, session?: Session): Promise<Member | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return document ? fromDocument(document) : null;
    },

    async findMany(
      workspaceId: string,
      ids: readonly string[],
      session?: Session,
    ): Promise<Member[]> {
      const found = await rows
        .of(workspaceId)
        .find({ _id: { $in: [...ids] } }, { batchSize: IDS_BATCH, session })
        .toArray();
      return found.map(fromDocument);
    },

    /** Writes the next revision of each. Throws StaleWrite when one is no longer what was read. */
    async saveAll(changed: readonly Member[], session: Session): Promise<void> {
      const fresh = changed.filter(({ revision }) => revision === 0);
      const known = changed.filter(({ revision }) => revision > 0);
      const next = (member: Member) => toDocument({ ...member, revision: member.revision + 1 });
      if (fresh.length > 0)
        await orStale('the client', rows.insertMany(fresh.map(next), { session }));
      if (known.length === 0) return;
      const writes = known.map((member) => ({
        replaceOne: {
          filter: { _id: member.id, workspace_id: member.workspaceId, revision: member.revision },
          replacement: next(member),
        },
      }));
      const { matchedCount } = await rows.bulkWrite(writes, { session });
      if (matchedCount !== known.length) throw new StaleWrite('a client');
    },

    /**
     * Marks members as looked at, though nothing about them changed: a transaction that decides on one of them
     * by older rules decides again.
     */
    async touch(workspaceId: string, ids: readonly string[], session: Session): Promise<void> {
      if (ids.length === 0) return;
      const filter = { _id: { $in: [...ids] } };
      await rows.of(workspaceId).updateMany(filter, { $inc: { revision: 1 } }, { session });
    },
  };
}

/** Everybody who can have a tier. */
function createEligibleMembers(rows: Rows<MemberDocument>) {
  return {
    /**
     * Cuts everybody who can have a tier into pieces of a size: the last id of each that is full, and how many people there
     * are. However many that is, a page of their ids is held at a time.
     */
    async eligiblePieces(
      workspaceId: string,
      size: number,
    ): Promise<{ ends: string[]; total: number }> {
      const ends: string[] = [];
      let total = 0;
      let after = '';
      for (;;) {
        const page = await rows
          .of(workspaceId)
          .find(
            { eligible: true as const, _id: { $gt: after } },
            { projection: { _id: 1 }, batchSize: IDS_BATCH },
          )
          .sort({ _id: 1 })
          .limit(IDS_PAGE)
          .toArray();
        for (const { _id } of page) {
          total += 1;
          if (total % size === 0) ends.push(_id);
          after = _id;
        }
        if (page.length < IDS_PAGE) return { ends, total };
      }
    },

    /** The eligible between two ids, the second included, or from the first on. */
    async eligibleBetween(
      workspaceId: string,
      { after, until }: { after: string; until: string | null },
      session: Session,
    ): Promise<Member[]> {
      const range = { $gt: after, ...(until === null ? {} : { $lte: until }) };
      const filter = { eligible: true as const, _id: range };
      const options = { session, batchSize: IDS_BATCH };
      return (await rows.of(workspaceId).find(filter, options).toArray()).map(fromDocument);
    },

    /** What evaluating everybody takes, without their names; their days only for looking back. */
    async *eligibleFacts(
      workspaceId: string,
      { withDays }: { withDays: boolean },
    ): AsyncIterable<PreviewFacts> {
      const needed = { tier: 1, assignment: 1, lapsed: 1, lifetime: 1 };
      const projection = withDays ? { ...needed, days: 1 } : needed;
      const options = { projection, batchSize: FACTS_BATCH };
      for await (const row of rows.of(workspaceId).find({ eligible: true }, options)) {
        const { assignment } = row;
        yield {
          clientId: row._id,
          eligible: true,
          assignment: assignment && {
            tierId: assignment.tier_id,
            assignedAt: assignment.assigned_at,
            expiresAt: assignment.expires_at,
          },
          tierId: row.tier?.id ?? null,
          lapsed: row.lapsed,
          activity: activityOf({ lifetime: row.lifetime, days: row.days ?? [] }),
        };
      }
    },
  };
}

/** Whom time alone may move. */
function createDueMembers(connection: Connection, rows: Rows<MemberDocument>) {
  return {
    /** When somebody is to be looked at again. */
    reviews: createDueTimes(connection, members.collection, { leads: true }),

    /** When assignments end. */
    endings: createDueTimes(connection, members.collection, { column: 'ends_at', leads: true }),

    dueForReview: (now: Date, limit: number): Promise<MemberReference[]> =>
      references(rows, { due_at: { $exists: true, $lte: now }, ...ofThisClock() }, limit),

    withEndedAssignment: (now: Date, limit: number): Promise<MemberReference[]> =>
      references(rows, { ends_at: { $exists: true, $lte: now }, ...ofThisClock() }, limit),
  };
}

type MemberReference = Pick<Member, 'id' | 'workspaceId'>;

async function references(
  rows: Rows<MemberDocument>,
  filter: object,
  limit: number,
): Promise<MemberReference[]> {
  const projection = { workspace_id: 1 };
  const found = await rows.ofEverybody.find(filter, { projection }).limit(limit).toArray();
  return found.map((row) => ({ id: row._id, workspaceId: row.workspace_id }));
}

function createMemberLists(rows: Rows<MemberDocument>) {
  return {
    async list(
      workspaceId: string,
      filter: MemberFilter,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ members: Member[]; total: number }> {
      const own = rows.of(workspaceId);
      const matching = toFilter(filter);
      const [found, total] = await Promise.all([
        own.find(matching).sort({ _id: -1 }).skip(offset).limit(limit).toArray(),
        own.count(matching),
      ]);
      return { members: found.map(fromDocument), total };
    },

    /** How many are in each group: a tier's id, untiered, loyalty_disabled. */
    async countByGroup(workspaceId: string): Promise<Map<string, number>> {
      const groups = await rows
        .of(workspaceId)
        .aggregate<{ _id: string; count: number }>({ group: { $exists: true } }, [
          { $group: { _id: '$group', count: { $sum: 1 } } },
        ])
        .toArray();
      return new Map(groups.map(({ _id, count }) => [_id, count]));
    },
  };
}

function toFilter({ group, tierIds, search, templateId, customFields }: MemberFilter): object {
  const conditions: object[] = customFields.map(({ name, values }) => ({
    custom_fields: { $in: values.map((value) => customFieldKey(name, value)) },
  }));
  if (group === undefined) conditions.push({ group: { $exists: true } });
  else if (group === UNTIERED)
    conditions.push({ group: { $exists: true, $nin: [LOYALTY_DISABLED, ...tierIds] } });
  else conditions.push({ group });
  if (search) conditions.push({ search_text: { $regex: searchPattern(search) } });
  if (templateId !== undefined) conditions.push({ template_ids: templateId });
  return { $and: conditions };
}

import {
  type CollectionIndexes,
  type Connection,
  foldText,
  literalPattern,
  orStale,
  type Session,
  StaleWrite,
} from '@laurel/mongo';
import { createDueTimes, ofThisClock } from '@laurel/work';
import type { Facts } from '../domain/evaluate';
import type { Member } from '../domain/member';
import {
  activityOf,
  fromDocument,
  LOYALTY_DISABLED,
  type MemberDocument,
  toDocument,
  UNTIERED,
} from './mapping';

const COLLECTION = 'members';
/** The local engine reads a cursor again for every batch, so whole answers come in few of them. */
const IDS_BATCH = 100_000;
const IDS_PAGE = 20_000;
const FACTS_BATCH = 50_000;

export const memberIndexes: CollectionIndexes = {
  collection: COLLECTION,
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
};

export interface MemberFilter {
  /** A tier, `untiered` or `loyalty_disabled`. */
  group?: string | undefined;
  /** Tiers that exist: whoever is in another has lost theirs and counts as untiered. */
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
  const members = connection.collection<MemberDocument>(COLLECTION);

  return {
    /** When somebody is to be looked at again. */
    reviews: createDueTimes(connection, COLLECTION, {}),

    /** When assignments end. */
    endings: createDueTimes(connection, COLLECTION, { column: 'ends_at' }),

    async find(workspaceId: string, id: string, session?: Session): Promise<Member | null> {
      const filter = { _id: id, workspace_id: workspaceId };
      const document = await members.findOne(filter, session ? { session } : {});
      return document ? fromDocument(document) : null;
    },

    async findMany(
      workspaceId: string,
      ids: readonly string[],
      session?: Session,
    ): Promise<Member[]> {
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      const rows = await members
        .find(filter, { batchSize: IDS_BATCH, ...(session ? { session } : {}) })
        .toArray();
      return rows.map(fromDocument);
    },

    /** Writes the next revision of each. Throws StaleWrite when one is no longer what was read. */
    async saveAll(changed: readonly Member[], session: Session): Promise<void> {
      const fresh = changed.filter(({ revision }) => revision === 0);
      const known = changed.filter(({ revision }) => revision > 0);
      const next = (member: Member) => toDocument({ ...member, revision: member.revision + 1 });
      if (fresh.length > 0)
        await orStale('the client', members.insertMany(fresh.map(next), { session }));
      if (known.length === 0) return;
      const writes = known.map((member) => ({
        replaceOne: {
          filter: { _id: member.id, workspace_id: member.workspaceId, revision: member.revision },
          replacement: next(member),
        },
      }));
      const { matchedCount } = await members.bulkWrite(writes, { session });
      if (matchedCount !== known.length) throw new StaleWrite('a client');
    },

    /**
     * Marks members as looked at, though nothing about them changed: whoever is deciding on one of them
     * by older rules decides again.
     */
    async touch(workspaceId: string, ids: readonly string[], session: Session): Promise<void> {
      if (ids.length === 0) return;
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      await members.updateMany(filter, { $inc: { revision: 1 } }, { session });
    },

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
        const page = await members
          .find(
            { workspace_id: workspaceId, eligible: true as const, _id: { $gt: after } },
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
      after: string,
      until: string | null,
      session: Session,
    ): Promise<Member[]> {
      const range = { $gt: after, ...(until === null ? {} : { $lte: until }) };
      const filter = { workspace_id: workspaceId, eligible: true as const, _id: range };
      const rows = await members.find(filter, { session, batchSize: IDS_BATCH }).toArray();
      return rows.map(fromDocument);
    },

    /** What evaluating everybody takes, without their names; their days only for looking back. */
    async *eligibleFacts(
      workspaceId: string,
      { withDays }: { withDays: boolean },
    ): AsyncIterable<PreviewFacts> {
      const needed = { tier: 1, assignment: 1, lapsed: 1, lifetime: 1 };
      const projection = withDays ? { ...needed, days: 1 } : needed;
      const filter = { workspace_id: workspaceId, eligible: true as const };
      for await (const row of members.find(filter, { projection, batchSize: FACTS_BATCH })) {
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

    async dueForReview(now: Date, limit: number): Promise<Pick<Member, 'id' | 'workspaceId'>[]> {
      return references({ due_at: { $exists: true, $lte: now }, ...ofThisClock() }, limit);
    },

    async withEndedAssignment(
      now: Date,
      limit: number,
    ): Promise<Pick<Member, 'id' | 'workspaceId'>[]> {
      return references({ ends_at: { $exists: true, $lte: now }, ...ofThisClock() }, limit);
    },

    async list(
      workspaceId: string,
      filter: MemberFilter,
      { limit, offset }: { limit: number; offset: number },
    ): Promise<{ members: Member[]; total: number }> {
      const matching = toFilter(workspaceId, filter);
      const [rows, total] = await Promise.all([
        members.find(matching).sort({ _id: -1 }).skip(offset).limit(limit).toArray(),
        members.countDocuments(matching),
      ]);
      return { members: rows.map(fromDocument), total };
    },

    /** How many are in each group: a tier's id, untiered, loyalty_disabled. */
    async countByGroup(workspaceId: string): Promise<Map<string, number>> {
      const rows = await members
        .aggregate<{ _id: string; count: number }>([
          { $match: { workspace_id: workspaceId, group: { $exists: true } } },
          { $group: { _id: '$group', count: { $sum: 1 } } },
        ])
        .toArray();
      return new Map(rows.map(({ _id, count }) => [_id, count]));
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await members.deleteMany({ workspace_id: workspaceId });
    },
  };

  async function references(
    filter: object,
    limit: number,
  ): Promise<Pick<Member, 'id' | 'workspaceId'>[]> {
    const projection = { workspace_id: 1 };
    const rows = await members.find(filter, { projection }).limit(limit).toArray();
    return rows.map((row) => ({ id: row._id, workspaceId: row.workspace_id }));
  }
}

function toFilter(
  workspaceId: string,
  { group, tierIds, search, templateId, customFields }: MemberFilter,
): object {
  const conditions: object[] = customFields.map(({ name, values }) => ({
    custom_fields: { $in: values.map((value) => customFieldKey(name, value)) },
  }));
  if (group === undefined) conditions.push({ group: { $exists: true } });
  else if (group === UNTIERED)
    conditions.push({ group: { $exists: true, $nin: [LOYALTY_DISABLED, ...tierIds] } });
  else conditions.push({ group });
  if (search) conditions.push({ search_text: { $regex: literalPattern(foldText(search)) } });
  if (templateId !== undefined) conditions.push({ template_ids: templateId });
  return { workspace_id: workspaceId, $and: conditions };
}

const VALUE_LENGTH_MAX = 300;

/** How a custom field's value is kept for filters; a very long one by its beginning. */
export function customFieldKey(name: string, value: unknown): string {
  return `${name}=${String(value).slice(0, VALUE_LENGTH_MAX)}`;
}

/** All values of the custom fields by which a client can be found; of a list, each of its members. */
export function customFieldKeys(fields: Readonly<Record<string, unknown>>): string[] {
  const keys = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => ['string', 'number', 'boolean'].includes(typeof one))
      .map((one) => customFieldKey(name, one)),
  );
  return [...new Set(keys)];
}

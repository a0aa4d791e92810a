import type { CampaignMemberStatus } from '@laurel/contract';
import {
  type Connection,
  collection,
  type Merge,
  numberedPage,
  type Rows,
  type Session,
  type Unit,
} from '@laurel/mongo';
import type { Member, MemberGroup, Outcomes } from '../domain/audience';
import { alike, type MemberResult } from './member-results';

export type MemberDocument = Omit<Member, 'id'> & { _id: string };

/** Members of audiences, from the moment in which they were fixed. */
export const audience = collection<MemberDocument>('audience', {
  tenant: 'workspace_id',
  person: {
    column: 'client_id',
    merged: shareAudiences,
    // What services said about the person; that it was in the audience stays.
    anonymized: { set: { error_message: null } },
    deleted: 'as anonymized',
    exported: 'shown',
  },
  growth: {
    per: 'member of an audience',
    end: 'stays: listed, and what statistics are counted from; goes with its campaign',
    shardKey: ['workspace_id', 'campaign_id', 'position'],
  },
  indexes: [
    { key: { workspace_id: 1, campaign_id: 1, position: 1 }, name: 'in_order', unique: true },
    { key: { workspace_id: 1, campaign_id: 1, status: 1, position: 1 }, name: 'of_status' },
    { key: { workspace_id: 1, client_id: 1 }, name: 'of_client' },
  ],
});

const IN_ORDER = { position: 1 } as const;
const MERGED = 'the client was merged into another one of the audience';

export function createAudienceStore(connection: Connection) {
  const rows = audience.open(connection);
  return {
    ...createMembership(rows),
    ...createOutcomes(rows),
    ...createOutcomeQuestions(rows),
  };
}

/** Who is in an audience, and in which order. */
function createMembership(rows: Rows<MemberDocument>) {
  return {
    async insertAll(members: readonly Member[], session: Session): Promise<void> {
      const added = members.map(({ id, ...member }) => ({ _id: id, ...member }));
      if (added.length > 0) await rows.insertMany(added, { session });
    },

    /** Which of the members are there already. */
    async knownAmong(
      workspaceId: string,
      ids: readonly string[],
      session: Session,
    ): Promise<Set<string>> {
      const filter = { _id: { $in: [...ids] } };
      const known = rows.of(workspaceId).find(filter, { projection: { _id: 1 }, session });
      return new Set((await known.toArray()).map(({ _id }) => _id));
    },

    /** The places that some clients have in an audience, by whatever merge they got them. */
    async placesOf(
      workspaceId: string,
      { campaignId, clientIds }: { campaignId: string; clientIds: readonly string[] },
      session: Session,
    ): Promise<Pick<Member, 'client_id' | 'pass_id'>[]> {
      if (clientIds.length === 0) return [];
      const filter = { client_id: { $in: [...clientIds] }, campaign_id: campaignId };
      const projection = { _id: 0, client_id: 1, pass_id: 1 };
      return rows.of(workspaceId).find(filter, { projection, session }).toArray();
    },

    /** The members at the positions after `after`, at most `count`: what is read is what is wanted. */
    async range(
      workspaceId: string,
      campaignId: string,
      { after, count }: { after: number; count: number },
    ): Promise<Member[]> {
      const position = { $gt: after, $lte: after + count };
      const found = rows.of(workspaceId).find({ campaign_id: campaignId, position });
      return (await found.sort(IN_ORDER).toArray()).map(toMember);
    },

    /** The ids of those whom `range` would find. */
    async idsIn(
      workspaceId: string,
      campaignId: string,
      { after, count }: { after: number; count: number },
    ): Promise<string[]> {
      const filter = { campaign_id: campaignId, position: { $gt: after, $lte: after + count } };
      const found = rows
        .of(workspaceId)
        .find(filter, { projection: { _id: 1 } })
        .sort(IN_ORDER);
      return (await found.toArray()).map(({ _id }) => _id);
    },

    /** Members by their ids, in the order of the audience. */
    async some(workspaceId: string, ids: readonly string[]): Promise<Member[]> {
      const found = rows.of(workspaceId).find({ _id: { $in: [...ids] } });
      return (await found.sort(IN_ORDER).toArray()).map(toMember);
    },

    async removeCampaign(workspaceId: string, campaignId: string): Promise<void> {
      await rows.of(workspaceId).deleteMany({ campaign_id: campaignId });
    },
  };
}

/** What executing actions writes of the members. */
function createOutcomes(rows: Rows<MemberDocument>) {
  return {
    /** Shows that somebody is at these members, but for those whom others have noted an outcome of meanwhile. */
    async start(
      workspaceId: string,
      { actionId, ids }: { actionId: string; ids: readonly string[] },
    ): Promise<void> {
      const filter = { _id: { $in: [...ids] }, [`outcomes.${actionId}`]: { $exists: false } };
      await rows.of(workspaceId).updateMany(filter, { $set: { status: 'processing' } });
    },

    /** Notes what came of an action, once per member: what was noted before stays. */
    async record(actionId: string, results: readonly MemberResult[]): Promise<void> {
      if (results.length === 0) return;
      const outcome = `outcomes.${actionId}`;
      await rows.bulkWrite(
        [...alike(results).values()].map((group) => {
          const [{ member, result, status, error, rewardsIssued, at }] = group;
          return {
            updateMany: {
              filter: {
                _id: { $in: group.map((one) => one.member.id) },
                workspace_id: member.workspace_id,
                [outcome]: { $exists: false },
              },
              update: {
                $set: {
                  [outcome]: result,
                  status,
                  processed_at: at,
                  error_message: error,
                },
                $inc: { rewards_issued: rewardsIssued },
              },
            },
          };
        }),
        { ordered: false },
      );
    },

    /** Counts that an action failed for these members, each by itself. */
    async countFaults(
      workspaceId: string,
      { actionId, ids }: { actionId: string; ids: readonly string[] },
    ): Promise<void> {
      if (ids.length === 0) return;
      const oneMore = { $inc: { [`faults.${actionId}`]: 1 } };
      await rows.of(workspaceId).updateMany({ _id: { $in: [...ids] } }, oneMore);
    },

    async settle(
      changes: readonly { member: Member; status: CampaignMemberStatus }[],
    ): Promise<void> {
      if (changes.length === 0) return;
      await rows.bulkWrite(
        changes.map(({ member: { id, workspace_id }, status }) => ({
          updateOne: {
            filter: { _id: id, workspace_id, status: 'processing' as const },
            update: { $set: { status } },
          },
        })),
        { ordered: false },
      );
    },
  };
}

function createOutcomeQuestions(rows: Rows<MemberDocument>) {
  return {
    /** How many members an action failed for. */
    countFailed: (workspaceId: string, campaignId: string): Promise<number> =>
      rows.of(workspaceId).count({ campaign_id: campaignId, status: 'failed' }),

    async withStatus(
      workspaceId: string,
      { campaignId, status }: { campaignId: string; status: CampaignMemberStatus },
      page: { limit: number; offset?: number },
    ): Promise<{ members: Member[]; total: number }> {
      const listing = { filter: { campaign_id: campaignId, status }, sort: IN_ORDER };
      const { documents, total } = await numberedPage(rows.of(workspaceId), listing, page);
      return { members: documents.map(toMember), total };
    },

    /**
     * Those of the `limit` members after the position `after` for whom one of its actions was done, in order, whatever became of
     * its others; and the position of the last that was looked at, null where there is none.
     */
    async reached(
      workspaceId: string,
      campaignId: string,
      { after, limit }: { after: number; limit: number },
    ): Promise<{ clientIds: string[]; last: number | null }> {
      const filter = { campaign_id: campaignId, position: { $gt: after } };
      const found = await rows
        .of(workspaceId)
        .find(filter)
        .sort(IN_ORDER)
        .limit(limit)
        .project<Pick<Member, 'client_id' | 'position' | 'outcomes'>>({
          _id: 0,
          client_id: 1,
          position: 1,
          outcomes: 1,
        })
        .toArray();
      const reached = found.filter(({ outcomes }) => Object.values(outcomes).includes('completed'));
      return {
        clientIds: reached.map((member) => member.client_id),
        last: found.at(-1)?.position ?? null,
      };
    },

    /** Clients whom others of the audience were merged into: they may stand in several places. */
    heirs: (workspaceId: string, campaignId: string): Promise<string[]> =>
      rows
        .of(workspaceId)
        .distinct('client_id', { campaign_id: campaignId, first_client_id: { $exists: true } }),

    async groups(workspaceId: string, campaignId: string): Promise<MemberGroup[]> {
      const groups = rows.of(workspaceId).aggregate<{
        _id: { status: CampaignMemberStatus; outcomes: Outcomes };
        count: number;
        issued: number;
      }>({ campaign_id: campaignId }, [
        {
          $group: {
            _id: { status: '$status', outcomes: '$outcomes' },
            count: { $sum: 1 },
            issued: { $sum: '$rewards_issued' },
          },
        },
      ]);
      return (await groups.toArray()).map(({ _id, count, issued }) => ({
        ..._id,
        count,
        rewardsIssued: issued,
      }));
    },
  };
}

/**
 * Gives a client's places to another, whom it was merged into. Where both have a place, the target's stands for both,
 * and the source's is left with nothing to wait for unless it has a pass of its own.
 */
async function shareAudiences(
  { rows, session }: Unit<MemberDocument>,
  { source, target }: Merge,
): Promise<void> {
  const places = await rows.distinct('campaign_id', { client_id: target }, { session });
  const shared = { client_id: source, campaign_id: { $in: places } };
  // Somebody may be at it just now: what comes of that is noted afterwards.
  const status = { $in: ['pending', 'processing'] as CampaignMemberStatus[] };
  const waiting = { ...shared, pass_id: null, status, outcomes: {} };
  const idle = { status: 'unreachable' as const, error_message: MERGED };
  await rows.updateMany(waiting, { $set: idle }, { session });
  await rows.updateMany(shared, { $set: { leads: false } }, { session });
  const asFixed = { client_id: source, first_client_id: { $exists: false } };
  await rows.updateMany(asFixed, { $set: { first_client_id: source } }, { session });
  await rows.updateMany({ client_id: source }, { $set: { client_id: target } }, { session });
}

function toMember({ _id, ...columns }: MemberDocument): Member {
  return { ...columns, id: _id };
}

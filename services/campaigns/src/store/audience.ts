import type { CampaignMemberStatus } from '@laurel/contract';
import type { CollectionIndexes, Connection, Session } from '@laurel/mongo';
import type { Member, MemberGroup, Outcomes, Result } from '../domain/audience';

const COLLECTION = 'audience';

type MemberDocument = Omit<Member, 'id'> & { _id: string };

export const audienceIndexes: CollectionIndexes = {
  collection: COLLECTION,
  indexes: [
    { key: { workspace_id: 1, campaign_id: 1, position: 1 }, name: 'in_order', unique: true },
    { key: { workspace_id: 1, campaign_id: 1, status: 1, position: 1 }, name: 'of_status' },
    { key: { workspace_id: 1, client_id: 1 }, name: 'of_client' },
  ],
};

const IN_ORDER = { position: 1 } as const;
const MERGED = 'the client was merged into another one of the audience';
const EXPORT_BATCH = 5_000;

/** What came of one action for one member. */
export interface MemberResult {
  member: Member;
  result: Result;
  status: CampaignMemberStatus;
  error: string | null;
  rewardsIssued: number;
  at: Date;
}

/** Members of audiences, from the moment in which they were fixed. */
export function createAudienceStore(connection: Connection) {
  const audience = connection.collection<MemberDocument>(COLLECTION);
  const of = (workspaceId: string, campaignId: string) => ({
    workspace_id: workspaceId,
    campaign_id: campaignId,
  });
  const between = (workspaceId: string, campaignId: string, after: number, count: number) => ({
    ...of(workspaceId, campaignId),
    position: { $gt: after, $lte: after + count },
  });

  return {
    async insertAll(members: readonly Member[], session: Session): Promise<void> {
      const rows = members.map(({ id, ...member }) => ({ _id: id, ...member }));
      if (rows.length > 0) await audience.insertMany(rows, { session });
    },

    /** Which of the members are there already. */
    async knownAmong(
      workspaceId: string,
      ids: readonly string[],
      session: Session,
    ): Promise<Set<string>> {
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      const rows = await audience.find(filter, { projection: { _id: 1 }, session }).toArray();
      return new Set(rows.map(({ _id }) => _id));
    },

    /** The members at the positions after `after`, at most `count`: what is read is what is wanted. */
    async range(
      workspaceId: string,
      campaignId: string,
      { after, count }: { after: number; count: number },
    ): Promise<Member[]> {
      const found = audience.find(between(workspaceId, campaignId, after, count));
      return (await found.sort(IN_ORDER).toArray()).map(toMember);
    },

    /** Shows that somebody is at these members. */
    async start(workspaceId: string, ids: readonly string[]): Promise<void> {
      const filter = { _id: { $in: [...ids] }, workspace_id: workspaceId };
      await audience.updateMany(filter, { $set: { status: 'processing' } });
    },

    /** How many members an action failed for. */
    countFailed: (workspaceId: string, campaignId: string): Promise<number> =>
      audience.countDocuments({ ...of(workspaceId, campaignId), status: 'failed' }),

    async withStatus(
      workspaceId: string,
      campaignId: string,
      status: CampaignMemberStatus,
      { limit, offset = 0 }: { limit: number; offset?: number },
    ): Promise<{ members: Member[]; total: number }> {
      const filter = { ...of(workspaceId, campaignId), status };
      const [documents, total] = await Promise.all([
        audience.find(filter).sort(IN_ORDER).skip(offset).limit(limit).toArray(),
        audience.countDocuments(filter),
      ]);
      return { members: documents.map(toMember), total };
    },

    /** Notes what came of an action, once per member: what was noted before stays. */
    async record(actionId: string, results: readonly MemberResult[]): Promise<void> {
      if (results.length === 0) return;
      const outcome = `outcomes.${actionId}`;
      await audience.bulkWrite(
        results.map(({ member, result, status, error, rewardsIssued, at }) => ({
          updateOne: {
            filter: {
              _id: member.id,
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
        })),
        { ordered: false },
      );
    },

    async settle(
      changes: readonly { member: Member; status: CampaignMemberStatus }[],
    ): Promise<void> {
      if (changes.length === 0) return;
      await audience.bulkWrite(
        changes.map(({ member: { id, workspace_id }, status }) => ({
          updateOne: {
            filter: { _id: id, workspace_id, status: 'processing' as const },
            update: { $set: { status } },
          },
        })),
        { ordered: false },
      );
    },

    async groups(workspaceId: string, campaignId: string): Promise<MemberGroup[]> {
      const rows = await audience
        .aggregate<{
          _id: { status: CampaignMemberStatus; outcomes: Outcomes };
          count: number;
          issued: number;
        }>([
          { $match: of(workspaceId, campaignId) },
          {
            $group: {
              _id: { status: '$status', outcomes: '$outcomes' },
              count: { $sum: 1 },
              issued: { $sum: '$rewards_issued' },
            },
          },
        ])
        .toArray();
      return rows.map(({ _id, count, issued }) => ({ ..._id, count, rewardsIssued: issued }));
    },

    /** All of one client, for the right of access. */
    async ofClient(workspaceId: string, clientId: string): Promise<Member[]> {
      const filter = { workspace_id: workspaceId, client_id: clientId };
      const rows = audience.find(filter, { batchSize: EXPORT_BATCH }).sort({ _id: 1 });
      return (await rows.toArray()).map(toMember);
    },

    /**
     * Gives a client's places to another, whom it was merged into. Where both have a place, the target's stands for both,
     * and the source's is left with nothing to wait for unless it has a pass of its own.
     */
    async moveClient(
      workspaceId: string,
      { from, to }: { from: string; to: string },
      session: Session,
    ): Promise<void> {
      const places = { workspace_id: workspaceId, client_id: to };
      const shared = {
        workspace_id: workspaceId,
        client_id: from,
        campaign_id: { $in: await audience.distinct('campaign_id', places, { session }) },
      };
      const waiting = { ...shared, pass_id: null, status: 'pending' as const };
      const idle = { status: 'unreachable' as const, error_message: MERGED };
      await audience.updateMany(waiting, { $set: idle }, { session });
      await audience.updateMany(shared, { $set: { leads: false } }, { session });
      const filter = { workspace_id: workspaceId, client_id: from };
      await audience.updateMany(filter, { $set: { client_id: to } }, { session });
    },

    /** Drops what services said about a person; that the person was in the audience stays. */
    async scrubClient(workspaceId: string, clientId: string, session: Session): Promise<void> {
      const filter = { workspace_id: workspaceId, client_id: clientId };
      await audience.updateMany(filter, { $set: { error_message: null } }, { session });
    },

    async removeCampaign(workspaceId: string, campaignId: string): Promise<void> {
      await audience.deleteMany(of(workspaceId, campaignId));
    },

    async removeWorkspace(workspaceId: string): Promise<void> {
      await audience.deleteMany({ workspace_id: workspaceId });
    },
  };
}

function toMember({ _id, ...columns }: MemberDocument): Member {
  return { ...columns, id: _id };
}

import {
  type Connection,
  collection,
  KEY_INDEX,
  type Rows,
  type Session,
  StaleWrite,
} from '@laurel/mongo';
import {
  createDue,
  createDueTimes,
  createTurns,
  dueIndex,
  type Room,
  type Wakes,
} from '@laurel/work';
import type { Campaign } from '../domain/campaign';
import { createCampaignLists } from './campaign-lists';
import { followMerge, replaceListed } from './listed-clients';
import {
  type AudienceState,
  type CampaignDocument,
  type CampaignHead,
  HEAD,
  type StoredCampaign,
  toCampaign,
  toColumns,
  toHead,
} from './mapping';

const WORK = { column: 'work_due_at' };
const LAUNCH = { column: 'scheduled_at', where: { status: 'scheduled' } };

/** A campaign in the hands of one worker. */
export type ClaimedCampaign = CampaignHead & { lease: string };

export const campaigns = collection<CampaignDocument>('campaigns', {
  tenant: 'workspace_id',
  person: {
    column: 'manual_client_ids',
    merged: followMerge,
    anonymized: (unit, { clientId }) => replaceListed(unit, clientId, null),
    deleted: 'as anonymized',
    exported: 'shown',
  },
  clone: { copied: 'all', but: asDraft },
  growth: {
    per: 'campaign',
    end: 'stays: until somebody deletes it',
    shardKey: 'whole',
  },
  indexes: [
    { key: { workspace_id: 1, _id: -1 }, name: 'newest' },
    { key: { workspace_id: 1, scheduled_at: 1 }, name: 'calendar' },
    dueIndex(LAUNCH, 'launch_in_turns'),
    dueIndex(WORK),
    KEY_INDEX,
  ],
});

/** A claim on the work of a campaign: it lasts until it runs out or somebody takes it away. */
export interface Claim {
  workspaceId: string;
  campaignId: string;
  lease: string;
}

/** A claim that is to last longer. */
export interface Renewal {
  claim: Claim;
  until: Date;
}

export function createCampaignStore(connection: Connection) {
  const rows = campaigns.open(connection);
  const due = createDue<CampaignDocument, ClaimedCampaign>(connection, campaigns.collection, {
    ...WORK,
    unread: 'manual_client_ids',
    read: toClaimed,
  });
  const launches = createDueTimes(connection, campaigns.collection, LAUNCH);
  return {
    /** Work that waits for a worker; of one workspace what has waited longest is first. */
    due,
    /** When scheduled campaigns are to be launched. */
    launches,
    ...createSingleCampaigns(rows, { due, launches }),
    ...createCampaignLists(rows),
    ...createDueLaunches(connection, rows),
    ...createCampaignWork(rows, due),
  };
}

function createSingleCampaigns(
  rows: Rows<CampaignDocument>,
  { due, launches }: Record<'due' | 'launches', Wakes>,
) {
  return {
    async insert(campaign: Campaign, session: Session): Promise<void> {
      const open = { audience: 'open', cursor: null, members: 0, clients: 0 } as const;
      const kept = { ...toColumns(campaign), ...open, revision: 1, lease: null, faults: 0 };
      await rows.insertOne({ _id: campaign.id, ...kept }, { session });
    },

    async find(workspaceId: string, id: string, session?: Session): Promise<StoredCampaign | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { session });
      return document && toCampaign(document);
    },

    async findHead(
      workspaceId: string,
      id: string,
      session?: Session,
    ): Promise<CampaignHead | null> {
      const document = await rows.of(workspaceId).findOne({ _id: id }, { ...HEAD, session });
      return document && toHead(document);
    },

    /** Clients that a campaign lists, from the place `from` on, at most `count`. */
    async listed(
      workspaceId: string,
      id: string,
      { from, count }: { from: number; count: number },
    ): Promise<string[]> {
      const part = { manual_client_ids: { $slice: [from, count] } };
      const found = rows.of(workspaceId).find({ _id: id });
      const [row] = await found.project<Pick<Campaign, 'manual_client_ids'>>(part).toArray();
      return [...(row?.manual_client_ids ?? [])];
    },

    /** The workspace that a campaign belongs to, for routes that name only the campaign. */
    async workspaceOf(id: string): Promise<string | null> {
      const projection = { workspace_id: 1 };
      const document = await rows.ofEverybody.findOne({ _id: id }, { projection });
      return document?.workspace_id ?? null;
    },

    /**
     * Writes the campaign as it has become. `work` wakes a worker, takes the work away from the one who
     * has it, or ends it. Throws StaleWrite when the campaign is no longer the one that was read.
     */
    async replace(
      { revision, workDueAt, changed_at, ...campaign }: StoredCampaign,
      session: Session,
      work?: { wake: Date } | { seize: Date } | 'end',
    ): Promise<void> {
      if (work && work !== 'end') due.wake(session, 'wake' in work ? work.wake : work.seize);
      if (campaign.status === 'scheduled') launches.wake(session, campaign.scheduled_at!);
      const noted = changed_at ? { changed_at } : {};
      const columns = { ...toColumns(campaign), ...noted, revision: revision + 1 };
      const { matchedCount } = await rows
        .of(campaign.workspace_id)
        .updateOne({ _id: campaign.id, revision }, changeOf(columns, workDueAt, work), { session });
      if (matchedCount === 0) throw new StaleWrite('the campaign');
    },

    async remove({ workspace_id, id, revision }: StoredCampaign, session: Session): Promise<void> {
      const filter = { _id: id, revision };
      if ((await rows.of(workspace_id).deleteOne(filter, { session })).deletedCount === 0)
        throw new StaleWrite('the campaign');
    },
  };
}

function createDueLaunches(connection: Connection, rows: Rows<CampaignDocument>) {
  const inTurns = createTurns(connection, campaigns.collection, LAUNCH);

  return {
    /** Scheduled campaigns whose time has come, of every workspace some. */
    async findDue(now: Date, room: Room): Promise<CampaignHead[]> {
      const ids = (await inTurns(now, room)).map(({ id }) => id);
      if (ids.length === 0) return [];
      return (await rows.ofEverybody.find({ _id: { $in: ids } }, HEAD).toArray()).map(toHead);
    },
  };
}

/** What the holder of a claim on a campaign writes. */
function createCampaignWork(rows: Rows<CampaignDocument>, due: Wakes) {
  const held = ({ campaignId, lease }: Claim) => ({ _id: campaignId, lease });

  return {
    /**
     * Renews a claim on an active campaign and notes how far its audience has come; false when the claim was lost or
     * the campaign is no longer active. Within a transaction it proves both for all that is written beside it.
     */
    async hold(
      { claim, until }: Renewal,
      session: Session,
      progress: Partial<AudienceState> = {},
    ): Promise<boolean> {
      const { matchedCount } = await rows
        .of(claim.workspaceId)
        .updateOne(
          { ...held(claim), status: 'active' },
          { $set: { work_due_at: until, faults: 0, ...progress } },
          { session },
        );
      return matchedCount === 1;
    },

    /** Hands the work back, to be taken up at a moment. */
    async release(claim: Claim, dueAt: Date, faults = 0): Promise<void> {
      await rows.of(claim.workspaceId).updateOne(held(claim), {
        $set: { work_due_at: dueAt, lease: null, faults },
      });
      due.wake(undefined, dueAt);
    },

    /** Nothing is left to do. */
    async endWork(claim: Claim): Promise<void> {
      await rows.of(claim.workspaceId).updateOne(held(claim), {
        $set: { lease: null },
        $unset: { work_due_at: '' },
      });
    },
  };
}

/** In a clone every campaign waits for somebody to look at it; whom it listed by hand are clients of the source. */
function asDraft({
  work_due_at: _due,
  walked_at: _walked,
  heirs: _heirs,
  ...row
}: CampaignDocument): CampaignDocument {
  const never = { scheduled_at: null, started_at: null, completed_at: null, cancelled_at: null };
  const open = { audience: 'open', cursor: null, members: 0, clients: 0 } as const;
  const draft = { ...row, ...never, ...open, status: 'draft' as const, manual_client_ids: [] };
  return { ...draft, revision: 1, lease: null, faults: 0 };
}

/** A worker that is at it already goes on with what is new; only a seizure stops them. */
function changeOf(
  columns: object,
  workDueAt: Date | null,
  work: { wake: Date } | { seize: Date } | 'end' | undefined,
) {
  if (work === 'end')
    return { $set: { ...columns, lease: null }, $unset: { work_due_at: '' as const } };
  if (work && 'seize' in work)
    return { $set: { ...columns, lease: null, work_due_at: work.seize } };
  return { $set: { ...columns, ...(work && !workDueAt ? { work_due_at: work.wake } : {}) } };
}

const toClaimed = (
  document: Omit<CampaignDocument, 'manual_client_ids'> & { lease: string },
): ClaimedCampaign => ({
  ...toHead(document),
  lease: document.lease,
});

import { type CampaignStatus, cutTo } from '@laurel/contract';
import { refusals } from '../refusals';

/** Columns of part 2, Campaign. At most one of segment_id and manual_client_ids says who the audience is. */
export interface Campaign {
  id: string;
  workspace_id: string;
  /** What files call it; given once. */
  key?: string | null;
  name: string;
  description: string | null;
  status: CampaignStatus;
  segment_id: string | null;
  manual_client_ids: readonly string[];
  scheduled_at: Date | null;
  started_at: Date | null;
  completed_at: Date | null;
  cancelled_at: Date | null;
  date_created: Date;
  date_updated: Date;
}

export type CampaignFields = Pick<
  Campaign,
  'key' | 'name' | 'description' | 'segment_id' | 'manual_client_ids' | 'scheduled_at'
>;

const NAME_MAX = 255;
const COPY_SUFFIX = ' (copy)';

/** A draft. */
export function newCampaign(
  { id, workspaceId, now }: { id: string; workspaceId: string; now: Date },
  fields: Partial<CampaignFields> & Pick<CampaignFields, 'name'>,
): Campaign {
  return withOneAudience({
    id,
    workspace_id: workspaceId,
    description: null,
    segment_id: null,
    manual_client_ids: [],
    scheduled_at: null,
    ...fields,
    status: 'draft',
    started_at: null,
    completed_at: null,
    cancelled_at: null,
    date_created: now,
    date_updated: now,
  });
}

/** The name of a copy that was given none. */
export function copyName(name: string): string {
  return `${cutTo(NAME_MAX - COPY_SUFFIX.length, name)}${COPY_SUFFIX}`;
}

/** @throws CONFLICT unless the campaign is a draft. */
export function requireDraft({ status }: Pick<Campaign, 'status'>): void {
  if (status !== 'draft') throw refusals.notDraft();
}

export function changed(campaign: Campaign, fields: Partial<CampaignFields>, now: Date): Campaign {
  requireDraft(campaign);
  return withOneAudience({ ...campaign, ...fields, date_updated: now });
}

/** draft -> scheduled. Without `at` the time that the draft names counts. */
export function scheduled(
  campaign: Campaign,
  { at, actionCount, now }: { at: Date | null; actionCount: number; now: Date },
): Campaign {
  requireStatus(campaign, ['draft'], 'scheduled');
  const scheduledAt = at ?? campaign.scheduled_at;
  if (!scheduledAt || scheduledAt <= now) throw refusals.notInFuture({ field: 'scheduled_at' });
  requireComplete(campaign, actionCount);
  return { ...campaign, status: 'scheduled', scheduled_at: scheduledAt, date_updated: now };
}

/** scheduled -> draft. */
export function unscheduled(campaign: Campaign, now: Date): Campaign {
  requireStatus(campaign, ['scheduled'], 'unscheduled');
  return { ...campaign, status: 'draft', scheduled_at: null, date_updated: now };
}

/** draft or scheduled -> active. */
export function launched(
  campaign: Campaign,
  { actionCount, now }: { actionCount: number; now: Date },
): Campaign {
  requireStatus(campaign, ['draft', 'scheduled'], 'launched');
  requireComplete(campaign, actionCount);
  return { ...campaign, status: 'active', started_at: now, date_updated: now };
}

/**
 * scheduled -> active, by its time. One whose listed clients have all gone meanwhile runs for an empty audience: there is no person to
 * refuse it to.
 *
 * @throws CONFLICT where it is not scheduled any more, or for later.
 */
export function launchedInTime(campaign: Campaign, now: Date): Campaign {
  requireStatus(campaign, ['scheduled'], 'launched by its time');
  if (campaign.scheduled_at === null || campaign.scheduled_at > now)
    throw refusals.wrongStatus({ message: 'the campaign is scheduled for later' });
  return { ...campaign, status: 'active', started_at: now, date_updated: now };
}

/** As `launched`; a campaign that is active already stays as it is. A scheduled one waits for its time. */
export function executing(
  campaign: Campaign,
  { actionCount, now }: { actionCount: number; now: Date },
): Campaign {
  requireStatus(campaign, ['draft', 'active'], 'executed');
  return campaign.status === 'active' ? campaign : launched(campaign, { actionCount, now });
}

/** scheduled or active -> cancelled. */
export function cancelled(campaign: Campaign, now: Date): Campaign {
  requireStatus(campaign, ['scheduled', 'active'], 'cancelled');
  return { ...campaign, status: 'cancelled', cancelled_at: now, date_updated: now };
}

/** active -> completed: every action is done. */
export function completed(campaign: Campaign, now: Date): Campaign {
  return { ...campaign, status: 'completed', completed_at: now, date_updated: now };
}

/** Whether the campaign is still to run. */
export function isAhead({ status }: Pick<Campaign, 'status'>): boolean {
  return status === 'draft' || status === 'scheduled';
}

export function hasAudience({ segment_id, manual_client_ids }: Campaign): boolean {
  return segment_id !== null || manual_client_ids.length > 0;
}

function requireStatus(
  { status }: Campaign,
  allowed: readonly CampaignStatus[],
  verb: string,
): void {
  if (!allowed.includes(status))
    throw refusals.wrongStatus({
      message: `${status === 'active' ? 'an' : 'a'} ${status} campaign cannot be ${verb}`,
    });
}

function requireComplete(campaign: Campaign, actionCount: number): void {
  if (!hasAudience(campaign)) throw refusals.noAudience({ field: 'segment_id' });
  if (actionCount === 0) throw refusals.noActions({ field: 'actions' });
}

function withOneAudience(campaign: Campaign): Campaign {
  const manual = [...new Set(campaign.manual_client_ids)];
  if (campaign.segment_id !== null && manual.length > 0)
    throw refusals.twoAudiences({ field: 'manual_client_ids' });
  return { ...campaign, manual_client_ids: manual };
}

import { type Version, withoutMissingKey } from '@laurel/mongo';
import type { Campaign } from '../domain/campaign';

/** How far the fixing of the audience has come. */
export interface AudienceState {
  audience: 'open' | 'fixed';
  /** Where to go on among those who are to be in it; null at the start. */
  cursor: string | null;
  /** Members so far. */
  members: number;
  /** Clients so far; fewer than members where some have several passes. */
  clients: number;
  /** When a segment had been gone through for the first time; absent until then. */
  walked_at?: Date;
  /** Whom clients were merged into while it was being fixed, who may be in it by the place of another; absent where none were. */
  heirs?: readonly string[];
}

/** A campaign as it is kept: what the API shows, and where its execution stands. */
export interface StoredCampaign extends Campaign, AudienceState {
  revision: number;
  /** When it or an action of it was changed; absent in rows that are older than the column. */
  changed_at?: Date;
  /** When somebody is to work on it, or to take the work over; null while there is nothing to do. */
  workDueAt: Date | null;
  /** Faults in a row that kept the work from going on. */
  faults: number;
}

/** Reads campaigns without the clients that they list. */
export const HEAD = { projection: { manual_client_ids: 0 } };

/** A campaign without the clients that it lists, of whom there may be ten thousand. */
export type CampaignHead = Omit<StoredCampaign, 'manual_client_ids'>;

/** A campaign as it is stored. */
export interface CampaignDocument extends Omit<Campaign, 'id'>, AudienceState {
  _id: string;
  revision: number;
  changed_at?: Date;
  work_due_at?: Date;
  lease: string | null;
  faults: number;
}

/** A campaign with its actions as conditions look at it. */
export const versionOfCampaign = ({
  id,
  revision,
  changed_at,
  date_updated,
}: Pick<StoredCampaign, 'id' | 'revision' | 'changed_at' | 'date_updated'>): Version => ({
  id,
  revision,
  changedAt: changed_at && changed_at > date_updated ? changed_at : date_updated,
});

export function toColumns(campaign: Campaign): Omit<Campaign, 'id'> {
  return withoutMissingKey({
    workspace_id: campaign.workspace_id,
    key: campaign.key ?? null,
    name: campaign.name,
    description: campaign.description,
    status: campaign.status,
    segment_id: campaign.segment_id,
    manual_client_ids: campaign.manual_client_ids,
    scheduled_at: campaign.scheduled_at,
    started_at: campaign.started_at,
    completed_at: campaign.completed_at,
    cancelled_at: campaign.cancelled_at,
    date_created: campaign.date_created,
    date_updated: campaign.date_updated,
  });
}

export function toCampaign({ manual_client_ids, ...document }: CampaignDocument): StoredCampaign {
  return { ...toHead(document), manual_client_ids };
}

export function toHead({
  _id,
  work_due_at,
  lease,
  ...document
}: Omit<CampaignDocument, 'manual_client_ids'>): CampaignHead {
  return { ...document, id: _id, workDueAt: work_due_at ?? null };
}

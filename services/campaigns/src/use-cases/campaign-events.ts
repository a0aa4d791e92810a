import { type CloudEvent, createEvent } from '@laurel/events';
import type { Campaign } from '../domain/campaign';
import { timestampOf } from './wire';

/** What the other services and webhooks hear of a campaign. */
export function campaignEvent(
  type: 'campaigns.launched' | 'campaigns.cancelled',
  campaign: Campaign,
): CloudEvent {
  const { workspace_id: workspaceId, id } = campaign;
  return createEvent(type, { workspaceId, subject: id, data: eventData(campaign) });
}

export function eventData(campaign: Campaign) {
  return {
    campaign_id: campaign.id,
    name: campaign.name,
    status: campaign.status,
    segment_id: campaign.segment_id,
    scheduled_at: timestampOf(campaign.scheduled_at),
    started_at: timestampOf(campaign.started_at),
    completed_at: timestampOf(campaign.completed_at),
    cancelled_at: timestampOf(campaign.cancelled_at),
  };
}

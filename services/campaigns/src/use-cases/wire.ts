import type { Json } from '@laurel/errors';
import type { campaigns as api } from '@laurel/rpc';
import type { Action } from '../domain/action';
import type { Campaign } from '../domain/campaign';

/** A campaign as the API shows it. */
export function toCampaignReply(campaign: Campaign): api.Campaign {
  return {
    id: campaign.id,
    workspace_id: campaign.workspace_id,
    ...(campaign.key ? { key: campaign.key } : {}),
    name: campaign.name,
    description: campaign.description,
    status: campaign.status,
    segment_id: campaign.segment_id,
    manual_client_ids: [...campaign.manual_client_ids],
    scheduled_at: timestampOf(campaign.scheduled_at),
    started_at: timestampOf(campaign.started_at),
    completed_at: timestampOf(campaign.completed_at),
    cancelled_at: timestampOf(campaign.cancelled_at),
    date_created: campaign.date_created.toISOString(),
    date_updated: campaign.date_updated.toISOString(),
  };
}

/** An action as the API shows it. */
export function toActionReply(action: Action): api.Action {
  return {
    id: action.id,
    campaign_id: action.campaign_id,
    action_type: action.action_type,
    action_config: action.action_config as unknown as Json,
    status: action.status,
    sort: action.sort,
    executed_at: timestampOf(action.executed_at),
    error_message: action.error_message,
    date_created: action.date_created.toISOString(),
  };
}

export function timestampOf(moment: Date | null): string | null {
  return moment?.toISOString() ?? null;
}

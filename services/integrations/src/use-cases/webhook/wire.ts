import type { integrations } from '@laurel/rpc';
import { whyNotSent } from '../../domain/decide-delivery';
import type { AttemptRow } from '../../store/attempts';
import type { DeliveryRow } from '../../store/deliveries';
import type { ReplayRow } from '../../store/replays';
import type { WebhookRow } from '../../store/webhooks';

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

/** A webhook as the API shows it: without its secrets. */
export function toWebhookReply(row: WebhookRow): integrations.Webhook {
  return {
    id: row._id,
    workspace_id: row.workspace_id,
    ...(row.key ? { key: row.key } : {}),
    url: row.url,
    event_types: row.event_types,
    description: row.description,
    active: row.active,
    disabled_at: iso(row.disabled_at),
    disabled_reason: row.disabled_reason,
    failing_since: iso(row.failing_since),
    date_created: row.date_created.toISOString(),
    date_updated: row.date_updated.toISOString(),
  };
}

/** `webhook` is whose it is: what holds that back is said of all that waits for it. */
export function toDeliveryReply(
  row: DeliveryRow,
  webhook: WebhookRow,
): integrations.WebhookDelivery {
  return {
    id: row._id,
    event_id: row.event_id,
    event_type: row.event_type,
    attempts: row.attempts,
    status: row.status,
    response_status: row.response_status,
    last_error: row.last_error,
    next_attempt_at: iso(row.next_attempt_at),
    delivered_at: iso(row.delivered_at),
    reason: whyNotSent(row, webhook, new Date()),
  };
}

export function toAttemptReply(row: AttemptRow): integrations.WebhookAttempt {
  return {
    id: row._id,
    at: row.at.toISOString(),
    duration_ms: row.duration_ms,
    response_status: row.response_status,
    response: row.response,
    error: row.error,
  };
}

export function toReplayReply(row: ReplayRow): integrations.WebhookReplay {
  return {
    id: row._id,
    webhook_id: row.webhook_id,
    from_date: row.from.toISOString(),
    to_date: row.to.toISOString(),
    event_types: row.event_types,
    status: row.status,
  };
}

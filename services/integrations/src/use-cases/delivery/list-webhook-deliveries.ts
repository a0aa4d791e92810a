import type { DeliveryStatus } from '@laurel/contract';
import { decodeCursor, encodeCursor } from '@laurel/mongo';
import type { integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { requireWebhook } from '../webhook/read-webhooks';
import { toDeliveryReply } from '../webhook/wire';

const isId = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value);

/** Newest first. */
export async function listWebhookDeliveries(
  deps: Pick<WebhookDeps, 'webhooks' | 'deliveries'>,
  query: integrations.ListWebhookDeliveriesRequest,
): Promise<integrations.ListWebhookDeliveriesReply> {
  const { workspace_id: workspaceId, webhook_id: webhookId, limit, cursor } = query;
  const webhook = await requireWebhook(deps, workspaceId, webhookId);
  const rows = await deps.deliveries.list(workspaceId, webhookId, {
    status: query.status as DeliveryStatus | undefined,
    eventType: query.event_type,
    before: cursor === undefined ? undefined : decodeCursor(cursor, isId),
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    data: page.map((row) => toDeliveryReply(row, webhook)),
    next_cursor: last ? encodeCursor(last._id) : null,
  };
}

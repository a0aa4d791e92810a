import type { DeliveryStatus } from '@laurel/contract';
import { cutPage, decodeCursor } from '@laurel/mongo';
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
  const found = await deps.deliveries.list(workspaceId, webhookId, {
    status: query.status as DeliveryStatus | undefined,
    eventType: query.event_type,
    before: cursor === undefined ? undefined : decodeCursor(cursor, isId),
    limit: limit + 1,
  });
  const { rows, nextCursor } = cutPage(found, limit, ({ _id }) => _id);
  return { data: rows.map((row) => toDeliveryReply(row, webhook)), next_cursor: nextCursor };
}

import { parseJson } from '@laurel/errors';
import type { integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { refusals } from '../../refusals';
import { requireWebhook } from '../webhook/read-webhooks';
import { toAttemptReply, toDeliveryReply } from '../webhook/wire';

/** A delivery with what it sends, the beginning of the last answer, and every attempt (part 4, section 10). */
export async function getWebhookDelivery(
  deps: Pick<WebhookDeps, 'webhooks' | 'deliveries' | 'events' | 'attempts'>,
  query: integrations.WebhookDeliveryRequest,
): Promise<integrations.WebhookDeliveryDetail> {
  const { workspace_id: workspaceId, webhook_id: webhookId, delivery_id: deliveryId } = query;
  const webhook = await requireWebhook(deps, workspaceId, webhookId);
  const row = await deps.deliveries.get(workspaceId, webhookId, deliveryId);
  if (!row) throw refusals.deliveryNotFound();
  const [kept, attempts] = await Promise.all([
    deps.events.kept(workspaceId, [row.event_id], new Date()),
    deps.attempts.ofDelivery(workspaceId, webhookId, deliveryId),
  ]);
  const body = kept.get(row.event_id)?.body;
  return {
    delivery: toDeliveryReply(row, webhook),
    ...(body === undefined ? {} : { payload: parseJson(body) }),
    response: attempts[0]?.response ?? null,
    attempts: attempts.map(toAttemptReply),
  };
}

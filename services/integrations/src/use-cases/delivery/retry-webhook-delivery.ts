import type { integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { refusals } from '../../refusals';
import { requireWebhook } from '../webhook/read-webhooks';
import { toDeliveryReply } from '../webhook/wire';

/** Sends one delivery again now, from the start of the retry schedule, whatever became of it before. */
export async function retryWebhookDelivery(
  deps: WebhookDeps,
  command: integrations.WebhookDeliveryRequest,
): Promise<integrations.WebhookDelivery> {
  const { workspace_id: workspaceId, webhook_id: webhookId, delivery_id: deliveryId } = command;
  const { deliveries, events, sender } = deps;
  const webhook = await requireWebhook(deps, workspaceId, webhookId);
  const delivery = await deliveries.get(workspaceId, webhookId, deliveryId);
  if (!delivery) throw refusals.deliveryNotFound();
  if (!webhook.active) throw refusals.webhookInactive();
  const now = new Date();
  if (!(await events.isKept(workspaceId, delivery.event_id, now))) throw refusals.eventGone();
  const armed = await deliveries.rearm(workspaceId, webhookId, { id: deliveryId, now });
  if (!armed) throw refusals.deliveryNotFound();
  sender.poke([{ workspaceId, webhookId }]);
  return toDeliveryReply(armed, webhook);
}

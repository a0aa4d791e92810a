import type { integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { refusals } from '../../refusals';
import { toWebhook } from '../../store/mapping';
import type { WebhookChange } from '../../store/webhooks';
import { requireEventTypes, requireSafeUrl } from './require-webhook-fields';

/**
 * Changes an endpoint. Activating one that was given up, or giving it another address, is a fresh
 * start; what waited for it is sent then.
 */
export async function updateWebhook(
  { webhooks, sender, settings }: WebhookDeps,
  command: integrations.UpdateWebhookRequest,
): Promise<integrations.Webhook> {
  const { workspace_id: workspaceId, id, key, url, event_types, description, active } = command;
  const change: WebhookChange = { date_updated: new Date() };
  if (key !== undefined) change.key = key;
  if (url !== undefined) {
    requireSafeUrl(url, settings);
    change.url = url;
  }
  if (event_types !== undefined) {
    change.event_types = requireEventTypes(event_types, settings.webhookNames);
  }
  if (description !== undefined) change.description = description;
  if (active !== undefined) change.active = active;
  if (active) Object.assign(change, { disabled_at: null, disabled_reason: null });
  if (active || url !== undefined)
    Object.assign(change, { failing_since: null, paused_until: null });
  const changed = await webhooks.change(workspaceId, id, change);
  if (!changed) {
    const isThere = key !== undefined && (await webhooks.get(workspaceId, id)) !== null;
    throw isThere ? refusals.keyGiven({ field: 'key' }) : refusals.webhookNotFound();
  }
  await sender.changed({ workspaceId, webhookId: id });
  return toWebhook(changed);
}

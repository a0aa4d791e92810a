import { decidingAnew, etagOf, keyAfter, requireUnchanged, versionOf } from '@laurel/mongo';
import type { integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { refusals } from '../../refusals';
import type { WebhookChange } from '../../store/webhooks';
import { newSecret } from './create-webhook';
import { requireWebhook } from './read-webhooks';
import { requireEventTypes, requireSafeUrl } from './require-webhook-fields';
import { toWebhookReply } from './wire';

/**
 * Changes an endpoint. Activating one that was given up, or giving it another address, is a fresh
 * start; what waits for it is sent when its next try is due, or by a replay.
 */
export async function updateWebhook(
  deps: WebhookDeps,
  command: integrations.UpdateWebhookRequest,
): Promise<integrations.Webhook> {
  const { webhooks, sender, settings } = deps;
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
  const changed = await decidingAnew(async () => {
    const seen = await requireWebhook({ webhooks }, workspaceId, id);
    keyAfter(seen.key, key, () => refusals.keyGiven({ field: 'key' }));
    requireUnchanged(versionOf(seen));
    // One that came with a clone has no secret, and none is sent to unsigned.
    const isBare = active === true && seen.secrets.length === 0;
    const secrets = isBare ? [newSecret(deps, workspaceId, id).stored] : seen.secrets;
    return webhooks.change(seen, isBare ? { ...change, secrets } : change);
  });
  await sender.changed({ workspaceId, webhookId: id });
  return { ...toWebhookReply(changed), etag: etagOf(versionOf(changed)) };
}

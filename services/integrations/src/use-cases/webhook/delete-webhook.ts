import { decidingAnew, requireUnchanged, versionOf } from '@laurel/mongo';
import type { common } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { requireWebhook } from './read-webhooks';

/** Deletes an endpoint that no active rule calls, its secrets and all that waited for it. Nothing is sent to it any more. */
export async function deleteWebhook(
  { webhooks, replays, sender, references }: WebhookDeps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<Record<string, never>> {
  await references.requireUnreferenced(workspaceId, 'webhook', [id]);
  await decidingAnew(async () => {
    const seen = await requireWebhook({ webhooks }, workspaceId, id);
    requireUnchanged(versionOf(seen));
    await webhooks.remove(seen);
  });
  await replays.removeWebhook(workspaceId, id);
  // The sender finds no webhook there and removes the deliveries, however many they are.
  await sender.changed({ workspaceId, webhookId: id });
  return {};
}

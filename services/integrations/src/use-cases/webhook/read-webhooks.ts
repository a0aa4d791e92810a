import { etagOf, versionOf } from '@laurel/mongo';
import type { common, integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { refusals } from '../../refusals';
import type { WebhookRow } from '../../store/webhooks';
import { toWebhookReply } from './wire';

/** The webhook, or the refusal that it does not exist in this workspace. */
export async function requireWebhook(
  { webhooks }: Pick<WebhookDeps, 'webhooks'>,
  workspaceId: string,
  id: string,
): Promise<WebhookRow> {
  const row = await webhooks.get(workspaceId, id);
  if (!row) throw refusals.webhookNotFound();
  return row;
}

export async function getWebhook(
  deps: Pick<WebhookDeps, 'webhooks'>,
  { workspace_id, id }: common.Id,
): Promise<integrations.Webhook> {
  const row = await requireWebhook(deps, workspace_id, id);
  return { ...toWebhookReply(row), etag: etagOf(versionOf(row)) };
}

/** Newest first. */
export async function listWebhooks(
  { webhooks }: Pick<WebhookDeps, 'webhooks'>,
  { workspace_id, limit, offset, key }: integrations.ListWebhooksRequest,
): Promise<integrations.ListWebhooksReply> {
  const [rows, total] = await Promise.all([
    webhooks.list(workspace_id, { limit, offset, key }),
    webhooks.count(workspace_id, key),
  ]);
  return { data: rows.map(toWebhookReply), total };
}

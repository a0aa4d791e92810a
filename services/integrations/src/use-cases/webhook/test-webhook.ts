import { isSandbox, newId } from '@laurel/lifecycle';
import type { common, integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { renderMessage } from '../../domain/message';
import { isTaken, NOT_SENT } from '../../domain/retry';
import { coarse, post } from '../../outside/post';
import { refusals } from '../../refusals';
import { callerPatienceMs } from '../caller-patience';
import { outboundFor, signingKeys } from '../delivery/endpoint';
import { requireWebhook } from './read-webhooks';

/**
 * Sends `webhook.test` now, whether the endpoint is active or not, and tells what came of it. An active one that takes it is
 * not failing any more.
 */
export async function testWebhook(
  deps: WebhookDeps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<integrations.WebhookTestResult> {
  const { vault, agents, settings, webhooks, sender } = deps;
  const webhook = await requireWebhook(deps, workspaceId, id);
  // One that came with a clone has no secret before it is switched on, and nothing is sent unsigned.
  if (webhook.secrets.length === 0) throw refusals.webhookInactive();
  const now = new Date();
  const body = renderMessage({
    type: 'webhook.test',
    timestamp: now.toISOString(),
    data: { webhook_id: id, message: 'This is a test of your endpoint.' },
    workspaceId,
  });
  const message = outboundFor(webhook.url, signingKeys(webhook, vault, now), { id: newId(), body });
  const timeoutMs = Math.min(settings.timeoutMs, callerPatienceMs());
  // Nothing leaves a sandbox (docs/adr/0029).
  const outcome = isSandbox(workspaceId)
    ? NOT_SENT
    : coarse(webhook.url, await post(message, { ...settings, timeoutMs, agent: agents.of(id) }));
  if (isTaken(outcome) && webhook.active && webhook.failing_since !== null) {
    await webhooks.noteWorking(workspaceId, id);
    await sender.changed({ workspaceId, webhookId: id });
  }
  const { status, durationMs, error } = outcome;
  return { status_code: status, duration_ms: durationMs, error };
}

import { currentContext, newId } from '@laurel/lifecycle';
import type { common, integrations } from '@laurel/rpc';
import { renderMessage } from '../domain/message';
import { coarse, post } from '../outbound/post';
import { outboundFor, signingKeys } from '../sender/endpoint';
import type { WebhookDeps } from './deps';
import { requireWebhook } from './read-webhooks';

/** Kept back of the caller's patience, so that a slow receiver is reported and not our own timeout. */
const ANSWER_MS = 1_000;
const TEST_MS_MIN = 500;
const CALLER_MS_MAX = 10_000;

/** Sends `webhook.test` now, whether the endpoint is active or not, and tells what came of it. */
export async function testWebhook(
  deps: WebhookDeps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<integrations.WebhookTestResult> {
  const { vault, agent, settings } = deps;
  const webhook = await requireWebhook(deps, workspaceId, id);
  const now = new Date();
  const body = renderMessage({
    type: 'webhook.test',
    timestamp: now.toISOString(),
    data: { webhook_id: id, message: 'This is a test of your endpoint.' },
    workspaceId,
  });
  const deadlineAt = currentContext().deadlineAt ?? now.getTime() + CALLER_MS_MAX;
  const patience = Math.max(deadlineAt - now.getTime() - ANSWER_MS, TEST_MS_MIN);
  const message = outboundFor(webhook.url, signingKeys(webhook, vault, now), { id: newId(), body });
  const timeoutMs = Math.min(settings.timeoutMs, patience);
  const outcome = await post(message, { ...settings, timeoutMs, agent });
  const { status, durationMs, error } = coarse(webhook.url, outcome);
  return { status_code: status, duration_ms: durationMs, error };
}

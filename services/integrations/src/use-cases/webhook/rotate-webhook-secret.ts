import { platform } from '@laurel/errors';
import { decidingAnew, StaleWrite } from '@laurel/mongo';
import type { common, integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { newSecret } from './create-webhook';
import { requireWebhook } from './read-webhooks';
import { toWebhookReply } from './wire';

const OVERLAP_MS = 24 * 60 * 60_000;
const SECRETS_MAX = 5;

/** Gives an endpoint a new secret. The ones before it sign along for 24 hours. */
export async function rotateWebhookSecret(
  deps: WebhookDeps,
  request: common.Id,
): Promise<integrations.WebhookWithSecret> {
  try {
    const rotated = await decidingAnew(() => rotate(deps, request));
    await deps.sender.changed({ workspaceId: request.workspace_id, webhookId: request.id });
    return rotated;
  } catch (error) {
    if (!(error instanceof StaleWrite)) throw error;
    throw platform.conflict({ message: 'the secret is being rotated by somebody else' });
  }
}

async function rotate(
  deps: WebhookDeps,
  { workspace_id: workspaceId, id }: common.Id,
): Promise<integrations.WebhookWithSecret> {
  const before = await requireWebhook(deps, workspaceId, id);
  const now = new Date();
  const until = new Date(now.getTime() + OVERLAP_MS);
  const { secret, stored } = newSecret(deps, workspaceId, id);
  const older = before.secrets
    .filter((each) => each.until === null || each.until > now)
    .map((each) => ({ ...each, until: each.until ?? until }));
  const secrets = [stored, ...older].slice(0, SECRETS_MAX);
  if (!(await deps.webhooks.replaceSecrets(before, secrets, now)))
    throw new StaleWrite('the secret');
  return { data: toWebhookReply({ ...before, date_updated: now }), secret };
}

import { randomBytes } from 'node:crypto';
import { newId } from '@laurel/lifecycle';
import type { integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { secretText } from '../../domain/signature';
import { type StoredSecret, type WebhookRow, webhookBinding } from '../../store/webhooks';
import { requireEventTypes, requireSafeUrl } from './require-webhook-fields';
import { toWebhookReply } from './wire';

const SECRET_BYTES = 32;

/** A new secret and the form in which it is stored. */
export function newSecret(
  { vault }: Pick<WebhookDeps, 'vault'>,
  workspaceId: string,
  webhookId: string,
): { secret: string; stored: StoredSecret } {
  const secret = secretText(randomBytes(SECRET_BYTES));
  const sealed = vault.seal(Buffer.from(secret), webhookBinding(workspaceId, webhookId));
  return { secret, stored: { sealed, until: null } };
}

/** Registers an endpoint. Its secret is in this answer and in no other. */
export async function createWebhook(
  deps: WebhookDeps,
  command: integrations.CreateWebhookRequest,
): Promise<integrations.WebhookWithSecret> {
  const { webhooks, settings } = deps;
  requireSafeUrl(command.url, settings);
  const eventTypes = requireEventTypes(command.event_types, settings.webhookNames);
  const id = newId();
  const { secret, stored } = newSecret(deps, command.workspace_id, id);
  const now = new Date();
  const row: WebhookRow = {
    _id: id,
    workspace_id: command.workspace_id,
    key: command.key ?? null,
    url: command.url,
    event_types: eventTypes,
    description: command.description ?? null,
    active: command.active ?? true,
    secrets: [stored],
    failing_since: null,
    disabled_at: null,
    disabled_reason: null,
    paused_until: null,
    date_created: now,
    date_updated: now,
  };
  await webhooks.insert(row);
  return { data: toWebhookReply(row), secret };
}

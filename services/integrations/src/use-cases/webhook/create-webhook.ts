import { randomBytes } from 'node:crypto';
import { newId } from '@laurel/lifecycle';
import { commitInTurn } from '@laurel/mongo';
import type { integrations } from '@laurel/rpc';
import type { WebhookDeps } from '../../deps';
import { secretText } from '../../domain/signature';
import { refusals } from '../../refusals';
import { type StoredSecret, type WebhookRow, webhookBinding } from '../../store/webhooks';
import { requireWebhook } from './read-webhooks';
import { requireEventTypes, requireSafeUrl } from './require-webhook-fields';
import { toWebhookReply } from './wire';

const SECRET_BYTES = 32;
/** Each event becomes a delivery to every one of them, written by processes that work for other workspaces as well. */
const WEBHOOKS_MAX = 100;

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

/**
 * Registers an endpoint. Its secret is in this answer and in no other but that to its repeat, which reads it from the row:
 * what is kept of an Idempotency-Key names the webhook alone. Throws CONFLICT where the workspace has as many as it may.
 */
export async function createWebhook(
  deps: WebhookDeps,
  command: integrations.CreateWebhookRequest,
): Promise<integrations.WebhookWithSecret> {
  const { connection, webhooks, vault } = deps;
  const row = newWebhook(deps, command);
  const all = { workspaceId: row.workspace_id, what: 'webhooks' };
  const { id } = await commitInTurn(connection, all, async (session) => {
    if ((await webhooks.count(row.workspace_id, undefined, session)) >= WEBHOOKS_MAX)
      throw refusals.tooManyWebhooks();
    await webhooks.insert(row, session);
    return { id: row._id };
  });
  const made = id === row._id ? row : await requireWebhook(deps, row.workspace_id, id);
  // The newest one, where it was rotated since.
  const secret = vault.open(made.secrets[0]!.sealed, webhookBinding(row.workspace_id, id));
  return { data: toWebhookReply(made), secret: secret.toString('utf8') };
}

/** The row of a webhook as it is asked for. Throws INVALID_PAYLOAD for an address or types that it may not have. */
function newWebhook(deps: WebhookDeps, command: integrations.CreateWebhookRequest): WebhookRow {
  requireSafeUrl(command.url, deps.settings);
  const eventTypes = requireEventTypes(command.event_types, deps.settings.webhookNames);
  const id = newId();
  const now = new Date();
  return {
    _id: id,
    workspace_id: command.workspace_id,
    key: command.key ?? null,
    url: command.url,
    event_types: eventTypes,
    description: command.description ?? null,
    active: command.active ?? true,
    secrets: [newSecret(deps, command.workspace_id, id).stored],
    failing_since: null,
    disabled_at: null,
    disabled_reason: null,
    paused_until: null,
    date_created: now,
    date_updated: now,
  };
}

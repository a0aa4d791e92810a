import { digestToken } from '@laurel/auth-cache';
import {
  complaintAboutTexts,
  invalidField,
  isForbiddenKey,
  type Json,
  mayHoldUnkeepable,
  platform,
} from '@laurel/errors';
import { newId } from '@laurel/lifecycle';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { keptUntil } from '../../domain/retention';
import { refusals } from '../../refusals';
import type { MessageRow } from '../../store/inbox-messages';
import { accountOf, requireProvider } from '../integration/require-integration';
import { toInboxMessageReply } from '../integration/wire';

/** Credentials that come along by themselves concern no reader later. */
const UNKEPT_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** Keeps what was posted to an inbox; once this resolves it is not lost any more. */
export async function receiveInboxMessage(
  deps: IntegrationDeps,
  { inbox_id: inboxId, token, body, headers }: api.ReceiveInboxMessageRequest,
): Promise<api.InboxMessage> {
  const inbox = await deps.inboxes.byToken(inboxId, digestToken(token));
  const integration = inbox && (await deps.integrations.get(inbox.workspace_id, inbox.provider));
  if (!inbox || !integration) throw refusals.inboxNotFound();
  const now = deps.clock.now();
  const arrival = { body: Buffer.from(body), headers, now };
  const { inbound } = requireProvider(inbox.provider);
  if (!inbound?.isGenuine(accountOf(deps, integration), arrival)) throw refusals.notGenuine();
  const row: MessageRow = {
    _id: newId(),
    workspace_id: inbox.workspace_id,
    provider: inbox.provider,
    inbox_id: inboxId,
    body: requireJson(arrival.body),
    headers: Object.fromEntries(
      Object.entries(headers).filter(
        ([name]) => !UNKEPT_HEADERS.has(name) && !isForbiddenKey(name),
      ),
    ),
    status: 'pending',
    attempts: 0,
    last_error: null,
    received_at: now,
    processed_at: null,
    failed_at: null,
    client_id: null,
    outcome: null,
    due_at: now,
    expires_at: keptUntil(now, deps.settings.messageDays),
  };
  await deps.messages.insert(row);
  deps.soon.inbox();
  return toInboxMessageReply(row);
}

function requireJson(body: Buffer): string {
  let text: string;
  let value: Json;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    // Only whether it is JSON: its numbers are read when it is processed.
    value = JSON.parse(text) as Json;
  } catch {
    throw platform.invalidPayload({ message: 'the body is not valid JSON' });
  }
  const found = mayHoldUnkeepable(text) ? complaintAboutTexts(value) : null;
  // Of what cannot be stored later the sender hears now.
  if (found) throw invalidField(found.path, `${found.path} ${found.complaint}`);
  return text;
}

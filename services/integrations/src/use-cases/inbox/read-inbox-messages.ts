import type { InboxMessageStatus } from '@laurel/contract';
import { parseJson } from '@laurel/errors';
import { cutPage, decodeCursor } from '@laurel/mongo';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { refusals } from '../../refusals';
import { requireIntegration, requireProvider } from '../integration/require-integration';
import { toInboxMessageReply } from '../integration/wire';

const isId = (value: unknown): value is string => typeof value === 'string';

/** What arrived in the inbox, newest first. */
export async function listInboxMessages(
  deps: Pick<IntegrationDeps, 'integrations' | 'messages'>,
  { workspace_id: workspaceId, provider, status, limit, cursor }: api.ListInboxMessagesRequest,
): Promise<api.InboxMessageList> {
  requireProvider(provider, 'inbound');
  const { inbox_id: inboxId } = await requireIntegration(deps, { workspaceId, provider });
  if (inboxId === null) return { data: [], next_cursor: null };
  const found = await deps.messages.list(workspaceId, inboxId, {
    status: status as InboxMessageStatus | undefined,
    before: cursor === undefined ? undefined : decodeCursor(cursor, isId),
    limit: limit + 1,
  });
  const { rows, nextCursor } = cutPage(found, limit, ({ _id }) => _id);
  return { data: rows.map(toInboxMessageReply), next_cursor: nextCursor };
}

/** One message as it came, and what became of it. */
export async function getInboxMessage(
  deps: Pick<IntegrationDeps, 'integrations' | 'messages'>,
  { workspace_id: workspaceId, provider, id }: api.InboxMessageRequest,
): Promise<api.InboxMessage> {
  requireProvider(provider, 'inbound');
  const { inbox_id: inboxId } = await requireIntegration(deps, { workspaceId, provider });
  const row = inboxId === null ? null : await deps.messages.get(workspaceId, inboxId, id);
  if (!row) throw refusals.messageNotFound();
  return { ...toInboxMessageReply(row), body: parseJson(row.body), headers: row.headers };
}

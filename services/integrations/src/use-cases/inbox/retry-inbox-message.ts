import { commitOnce } from '@laurel/mongo';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { refusals } from '../../refusals';
import type { MessageRow } from '../../store/inbox-messages';
import { requireIntegration, requireProvider } from '../integration/require-integration';
import { toInboxMessageReply } from '../integration/wire';

/** Starts a failed message afresh, with eight more attempts. */
export async function retryInboxMessage(
  deps: Pick<IntegrationDeps, 'connection' | 'integrations' | 'messages' | 'clock' | 'soon'>,
  { workspace_id: workspaceId, provider, id }: api.InboxMessageRequest,
): Promise<api.InboxMessage> {
  requireProvider(provider, 'inbound');
  const { inbox_id: inboxId } = await requireIntegration(deps, { workspaceId, provider });
  if (inboxId === null) throw refusals.messageNotFound();
  let armed: MessageRow | null = null;
  // What is kept of it is that it was done: why a message failed may name somebody.
  await commitOnce(deps.connection, async (session) => {
    const now = deps.clock.now();
    armed = await deps.messages.rearm(workspaceId, inboxId, { id, now, session });
    if (armed) return null;
    const known = await deps.messages.get(workspaceId, inboxId, id);
    throw known ? refusals.notFailed() : refusals.messageNotFound();
  });
  armed ??= await deps.messages.get(workspaceId, inboxId, id);
  if (!armed) throw refusals.messageNotFound();
  deps.soon.inbox();
  return toInboxMessageReply(armed);
}

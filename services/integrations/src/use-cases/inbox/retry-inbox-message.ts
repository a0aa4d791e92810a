import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { refusals } from '../../refusals';
import { requireIntegration, requireProvider } from '../integration/require-integration';
import { toInboxMessageReply } from '../integration/wire';

/** Starts a failed message afresh, with eight more attempts. */
export async function retryInboxMessage(
  deps: Pick<IntegrationDeps, 'integrations' | 'messages' | 'clock' | 'soon'>,
  { workspace_id: workspaceId, provider, id }: api.InboxMessageRequest,
): Promise<api.InboxMessage> {
  requireProvider(provider, 'inbound');
  const { inbox_id: inboxId } = await requireIntegration(deps, { workspaceId, provider });
  if (inboxId === null) throw refusals.messageNotFound();
  const armed = await deps.messages.rearm(workspaceId, inboxId, { id, now: deps.clock.now() });
  if (!armed) {
    const known = await deps.messages.get(workspaceId, inboxId, id);
    throw known ? refusals.notFailed() : refusals.messageNotFound();
  }
  deps.soon.inbox();
  return toInboxMessageReply(armed);
}

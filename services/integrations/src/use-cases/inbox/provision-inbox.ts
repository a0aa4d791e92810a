import { unitOfWork } from '@laurel/mongo';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { requireIntegration, requireProvider } from '../integration/require-integration';
import { toIntegrationReply } from '../integration/wire';
import { announceInbox, openInbox } from './save-inbox';

/** Makes the inbox if there is none; without a token in the answer where there was one. */
export async function provisionInbox(
  deps: IntegrationDeps,
  { workspace_id: workspaceId, provider: slug }: api.ProviderRequest,
): Promise<api.SavedIntegration> {
  const provider = requireProvider(slug, 'inbound');
  const { row, token } = await unitOfWork(deps.connection, async (session) => {
    await deps.integrations.lock(workspaceId, slug, session);
    const before = await requireIntegration(deps, { workspaceId, provider: slug }, session);
    if (before.inbox_id !== null) return { row: before };
    const now = deps.clock.now();
    const opened = await openInbox(deps, before, { now, session });
    const changed = { ...before, inbox_id: opened.inboxId, date_updated: now };
    return { row: await deps.integrations.replace(changed, session), token: opened.token };
  });
  const data = toIntegrationReply(row, deps.settings.publicUrl, token);
  if (token === undefined) return { data };
  const warning = await announceInbox(deps, provider, { row, token });
  return { data, token, ...(warning === undefined ? {} : { save_warning: warning }) };
}

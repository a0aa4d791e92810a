import { digestToken } from '@laurel/auth-cache';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { refusals } from '../../refusals';
import { requireIntegration, requireProvider } from '../integration/require-integration';
import { toIntegrationReply } from '../integration/wire';
import { announceInbox, newToken } from './save-inbox';

/** Gives the inbox another token; the address with the old one is of no use from now on. */
export async function rotateInboxToken(
  deps: IntegrationDeps,
  { workspace_id: workspaceId, provider: slug }: api.ProviderRequest,
): Promise<api.SavedIntegration> {
  const provider = requireProvider(slug, 'inbound');
  const row = await requireIntegration(deps, { workspaceId, provider: slug });
  if (row.inbox_id === null) throw refusals.noInbox();
  const token = newToken();
  const change = { tokenDigest: digestToken(token), now: deps.clock.now() };
  if (!(await deps.inboxes.rotate(workspaceId, row.inbox_id, change))) throw refusals.noInbox();
  const warning = await announceInbox(deps, provider, { row, token });
  const data = toIntegrationReply(row, deps.settings.publicUrl, token);
  return { data, token, ...(warning === undefined ? {} : { save_warning: warning }) };
}

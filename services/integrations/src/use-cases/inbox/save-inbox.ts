import { randomBytes } from 'node:crypto';
import { digestToken } from '@laurel/auth-cache';
import { newId } from '@laurel/lifecycle';
import type { Session } from '@laurel/mongo';
import type { IntegrationDeps } from '../../deps';
import { ingestUrl } from '../../domain/ingest-url';
import type { Provider } from '../../outside/providers/provider';
import type { IntegrationRow } from '../../store/integrations';
import { accountOf } from '../integration/require-integration';

const TOKEN_BYTES = 32;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Makes the inbox of an integration, in the caller's transaction. Its token is known to this caller only. */
export async function openInbox(
  { inboxes }: Pick<IntegrationDeps, 'inboxes'>,
  row: Pick<IntegrationRow, 'workspace_id' | 'provider'>,
  { now, session }: { now: Date; session: Session },
): Promise<{ inboxId: string; token: string }> {
  const inboxId = newId();
  const token = newToken();
  const { workspace_id, provider } = row;
  const inbox = { _id: inboxId, workspace_id, provider, token_digest: digestToken(token) };
  await inboxes.insert({ ...inbox, date_created: now, rotated_at: now }, session);
  return { inboxId, token };
}

/** Tells the provider where to send from now on, if it wants to know; a sentence when that went wrong. */
export async function announceInbox(
  deps: Pick<IntegrationDeps, 'restOf' | 'vault' | 'settings'>,
  provider: Provider,
  { row, token }: { row: IntegrationRow; token: string },
): Promise<string | undefined> {
  const url = ingestUrl(deps.settings.publicUrl, row.inbox_id!, token);
  const rest = deps.restOf({ workspaceId: row.workspace_id, provider: row.provider });
  const warning = await provider.inbound?.announce?.(rest, accountOf(deps, row), url);
  return warning ?? undefined;
}

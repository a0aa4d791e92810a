import { etagOf, versionOf } from '@laurel/mongo';
import type { integrations as api } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { availableProviders } from '../../outside/providers';
import { requireIntegration, requireProvider } from './require-integration';
import { toIntegrationReply } from './wire';

type ReadDeps = Pick<IntegrationDeps, 'integrations' | 'settings'>;

/** What a workspace has configured, and with what else it could connect. */
export async function listIntegrations(
  { integrations, settings }: ReadDeps,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.IntegrationList> {
  const rows = await integrations.list(workspaceId);
  return {
    data: rows.map((row) => toIntegrationReply(row, settings.publicUrl)),
    available_providers: [...availableProviders],
  };
}

/** How a workspace uses a provider. */
export async function getIntegration(
  deps: ReadDeps,
  { workspace_id: workspaceId, provider }: api.ProviderRequest,
): Promise<api.Integration> {
  requireProvider(provider);
  const row = await requireIntegration(deps, { workspaceId, provider });
  return { ...toIntegrationReply(row, deps.settings.publicUrl), etag: etagOf(versionOf(row)) };
}

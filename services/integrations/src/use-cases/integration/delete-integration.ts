import { requireUnchanged, StaleWrite, unitOfWork, versionOf } from '@laurel/mongo';
import type { integrations as api, common } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { requireIntegration, requireProvider } from './require-integration';

/**
 * Ends an integration: its inbox takes nothing more, imports are cancelled, and what waited to be sent or read goes.
 * What is left over by a crash after the commit finds no integration, and goes when it is taken up.
 */
export async function deleteIntegration(
  deps: IntegrationDeps,
  { workspace_id: workspaceId, provider }: api.ProviderRequest,
): Promise<common.Empty> {
  requireProvider(provider);
  await unitOfWork(deps.connection, async (session) => {
    const row = await requireIntegration(deps, { workspaceId, provider }, session);
    requireUnchanged(versionOf(row));
    // It was there a moment ago: another call took or changed it meanwhile, so it is looked for again.
    if (!(await deps.integrations.remove(row, session))) throw new StaleWrite('the integration');
    await deps.inboxes.remove(workspaceId, provider, session);
    await deps.importJobs.cancelAll(workspaceId, provider, { now: deps.clock.now(), session });
  });
  await deps.messages.removeProvider(workspaceId, provider);
  await deps.outboundJobs.removeProvider(workspaceId, provider);
  await deps.backfills.removeProvider(workspaceId, provider);
  await deps.outboundRetries.removeProvider(workspaceId, provider);
  return {};
}

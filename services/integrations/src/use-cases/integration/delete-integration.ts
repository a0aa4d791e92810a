import { requireUnchanged, StaleWrite, unitOfWork, versionOf } from '@laurel/mongo';
import type { integrations as api, common } from '@laurel/rpc';
import type { IntegrationDeps } from '../../deps';
import { removeRemains } from './remove-remains';
import { requireIntegration, requireProvider } from './require-integration';

/**
 * Ends an integration: its inbox takes nothing more, imports are cancelled, and what waited to be sent or read goes. There may
 * be much of that, so it goes after the commit, when another integration may have taken the place: nothing of that one goes along.
 * What a crash leaves over is not worked on; messages go when they are taken up or at the end of their time, jobs before
 * another integration is made.
 */
export async function deleteIntegration(
  deps: IntegrationDeps,
  { workspace_id: workspaceId, provider }: api.ProviderRequest,
): Promise<common.Empty> {
  requireProvider(provider);
  const { inboxId, ended } = await unitOfWork(deps.connection, async (session) => {
    const row = await requireIntegration(deps, { workspaceId, provider }, session);
    requireUnchanged(versionOf(row));
    // It was there a moment ago: another call took or changed it meanwhile, so it is looked for again.
    if (!(await deps.integrations.remove(row, session))) throw new StaleWrite('the integration');
    await deps.inboxes.remove(workspaceId, provider, session);
    const now = deps.clock.now();
    const ended = await deps.importJobs.cancelAll(workspaceId, provider, { now, session });
    await deps.backfills.remove(workspaceId, provider, session);
    await deps.outboundRetries.remove(workspaceId, provider, session);
    return { inboxId: row.inbox_id, ended };
  });
  if (ended !== null) await deps.importJobs.callNext(workspaceId, ended, deps.clock.now());
  if (inboxId !== null) await deps.messages.removeInbox(workspaceId, inboxId);
  await removeRemains(deps, { workspaceId, provider });
  return {};
}

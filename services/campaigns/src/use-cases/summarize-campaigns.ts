import type { campaigns as api } from '@laurel/rpc';
import type { Deps } from '../deps';

/** How many campaigns are in each status. */
export async function summarizeCampaigns(
  { campaigns }: Pick<Deps, 'campaigns'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.CampaignSummary> {
  const counts = await campaigns.countByStatus(workspaceId);
  return {
    draft: counts.get('draft') ?? 0,
    scheduled: counts.get('scheduled') ?? 0,
    active: counts.get('active') ?? 0,
    completed: counts.get('completed') ?? 0,
    cancelled: counts.get('cancelled') ?? 0,
  };
}

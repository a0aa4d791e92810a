import type { referrals as api } from '@laurel/rpc';
import type { Deps } from '../deps';

export function getStats(
  { statistics }: Pick<Deps, 'statistics'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.Stats> {
  return statistics.ofWorkspace(workspaceId);
}

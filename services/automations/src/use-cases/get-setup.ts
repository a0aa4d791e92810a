import type { automations as api } from '@laurel/rpc';
import type { Deps } from '../deps';

/** Whether a workspace has rules yet. */
export async function getSetup(
  { rules }: Pick<Deps, 'rules'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.Setup> {
  return { rule: await rules.hasAny(workspaceId) };
}

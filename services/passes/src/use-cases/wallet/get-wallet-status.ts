import type { passes as api } from '@laurel/rpc';
import type { WalletDeps } from '../../deps';

/** Whether phones accept the passes of the workspace, and what is missing where they do not. */
export async function getWalletStatus(
  { credentials }: Pick<WalletDeps, 'credentials'>,
  { workspace_id: workspaceId }: api.WorkspaceRequest,
): Promise<api.WalletStatus> {
  return credentials.status(workspaceId);
}

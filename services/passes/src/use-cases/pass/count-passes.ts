import type { passes as api } from '@laurel/rpc';
import type { PassDeps } from '../../deps';

/** How many passes a workspace has, and on how many Apple and Google wallets they are. */
export function countPasses(
  { passes }: Pick<PassDeps, 'passes'>,
  { workspace_id }: api.WorkspaceRequest,
): Promise<api.PassCounts> {
  return passes.count(workspace_id);
}

import { authKeys } from '@laurel/auth-cache';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { revokeFound } from './revoke-found';

/** Takes over who may use the staff app of a workspace; counts on the next request of every device. */
export async function putMobileAppAccess(
  deps: Deps,
  { workspace_id, is_enabled, allowed_role_ids, changed_at }: identity.MobileAppAccess,
): Promise<Record<string, never>> {
  const { workspaces, mobileSessions, mobileAppAccess } = deps;
  const look = async () =>
    (await mobileSessions.liveIdsOfWorkspace(workspace_id)).map(authKeys.mobile);
  await revokeFound(deps, look, () =>
    mobileAppAccess.put(workspace_id, {
      is_enabled,
      allowed_role_ids: allowed_role_ids ?? null,
      changed_at: new Date(changed_at),
    }),
  );
  // Looked at when it is written: a workspace that goes from now on finds it.
  if (!(await workspaces.find(workspace_id))) await mobileAppAccess.remove(workspace_id);
  return {};
}

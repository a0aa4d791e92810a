import { authKeys } from '@laurel/auth-cache';
import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type Role, roleOf } from '../domain/roles';
import { refusals } from '../refusals';
import type { MobileSessionRow } from '../store/mobile-sessions';
import type { MobileUserRow } from '../store/mobile-users';
import { ACTIVITY_MS } from './resolve';
import { toMobileSessionReply, toMobileUserReply, toWorkspaceSummaryReply } from './wire';

/** Whose device this is and what it may do; INVALID_TOKEN once session or user are out, FORBIDDEN once their workspace is deleted. */
export function resolveMobileSession(
  deps: Deps,
  { session_id, workspace_id }: identity.SessionRequest,
): Promise<identity.MobilePrincipal> {
  return deps.cache.fill(authKeys.mobile(session_id), async () => {
    const { live, user, role } = await standing(deps, session_id, workspace_id);
    const access = await deps.mobileAppAccess.find(live.workspace_id);
    const now = deps.clock.now();
    await deps.mobileSessions.touch(live.workspace_id, session_id, now);
    // A session goes once it has ended; when its user was there last stays with them.
    if (now.getTime() - (user.last_login_at?.getTime() ?? 0) > ACTIVITY_MS)
      await deps.mobileUsers.noteUse(live.workspace_id, user._id, now);
    return {
      session_id,
      workspace_id: live.workspace_id,
      mobile_user_id: user._id,
      linked_user_id: user.linked_user_id ?? null,
      email: user.email,
      first_name: user.first_name,
      last_name: user.last_name,
      role: role.name,
      role_id: role.id,
      app_enabled: access?.is_enabled ?? true,
      role_allowed: access?.allowed_role_ids?.includes(role.id) ?? true,
    };
  });
}

export async function getMobileMe(
  deps: Deps,
  { session_id }: identity.SessionRequest,
): Promise<identity.MobileMe> {
  const { live, user, role } = await standing(deps, session_id);
  const workspace = await deps.workspaces.find(live.workspace_id);
  if (!workspace) throw platform.invalidToken();
  return {
    user: toMobileUserReply(user),
    workspace: toWorkspaceSummaryReply(workspace),
    role,
    session: toMobileSessionReply(live),
  };
}

/**
 * The role of an app user: that of the linked member, or member where none is linked. Null for those
 * who may not use the app: suspended ones, and those whose membership ended.
 */
async function mobileRole({ members }: Deps, user: MobileUserRow): Promise<Role | null> {
  if (user.status === 'suspended') return null;
  if (user.linked_user_id === undefined) return roleOf(user.workspace_id, 'member');
  const member = await members.find(user.workspace_id, user.linked_user_id);
  return member?.status === 'active' ? roleOf(user.workspace_id, member.role) : null;
}

/** Whether tokens may be given out: not to a user who is `barred`, and to none where the app is `off`. */
export async function appStanding(
  deps: Deps,
  user: MobileUserRow,
): Promise<'good' | 'barred' | 'off'> {
  const [role, access] = await Promise.all([
    mobileRole(deps, user),
    deps.mobileAppAccess.find(user.workspace_id),
  ]);
  if (role === null) return 'barred';
  return (access?.is_enabled ?? true) ? 'good' : 'off';
}

async function standing(
  deps: Deps,
  sessionId: string,
  named?: string,
): Promise<{ live: MobileSessionRow; user: MobileUserRow; role: Role }> {
  const { mobileSessions, mobileUsers, workspaces, clock } = deps;
  const live = await mobileSessions.findLive(sessionId, clock.now());
  const workspaceId = live?.workspace_id ?? named;
  // A deleted workspace is 403 for everyone (part 3, section 1.1), also once its sessions are gone with it.
  if (workspaceId !== undefined && !(await workspaces.find(workspaceId)))
    throw refusals.workspaceDeleted();
  if (!live) throw platform.invalidToken();
  const user = await mobileUsers.find(live.workspace_id, live.mobile_user_id);
  const role = user && (await mobileRole(deps, user));
  if (!role) throw platform.invalidToken();
  return { live, user, role };
}

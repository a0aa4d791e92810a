import { platform } from '@laurel/errors';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { portalOf } from '../domain/portal';
import { refusals } from '../refusals';
import { toUserReply, toWorkspaceReply } from './wire';

/** What a page needs to know of its user and workspace before it shows anything. */
export async function getMe(
  { users, workspaces }: Pick<Deps, 'users' | 'workspaces'>,
  { workspace_id, user_id }: identity.MemberRequest,
): Promise<identity.Me> {
  const [user, workspace] = await Promise.all([users.find(user_id), workspaces.find(workspace_id)]);
  if (!workspace) throw refusals.notAMember();
  if (!user) throw platform.recordNotFound();
  return {
    user: toUserReply(user),
    workspace: toWorkspaceReply(workspace),
    portal_enabled: portalOf(workspace.portal).is_enabled,
  };
}

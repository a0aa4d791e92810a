import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { roleOf } from '../domain/roles';
import { refusals } from '../refusals';

export async function getMemberRole(
  { members, workspaces }: Deps,
  { workspace_id, user_id }: identity.MemberRequest,
): Promise<identity.MemberRole> {
  const [member, workspace] = await Promise.all([
    members.find(workspace_id, user_id),
    workspaces.find(workspace_id),
  ]);
  if (!member || !workspace) throw refusals.memberNotFound();
  return {
    role: member.role,
    role_id: roleOf(workspace_id, member.role).id,
    is_creator: workspace.creator_id === user_id,
  };
}

import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toWorkspaceReply } from './wire';

/** The workspaces a user belongs to, each with the role there, newest membership last. */
export async function listWorkspaces(
  { members, workspaces }: Deps,
  { user_id }: identity.UserRequest,
): Promise<identity.WorkspaceList> {
  const memberships = await members.listOfUser(user_id);
  const active = memberships.filter((member) => member.status === 'active');
  const rows = await workspaces.findMany(active.map((member) => member.workspace_id));
  const byId = new Map(rows.map((row) => [row._id, row]));
  const data = active.flatMap(({ workspace_id, role }) => {
    const row = byId.get(workspace_id);
    return row ? [toWorkspaceReply(row, role)] : [];
  });
  return { data };
}

import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { toMemberReply } from './wire';

export async function listMembers(
  { members, users }: Deps,
  { workspace_id }: identity.WorkspaceRequest,
): Promise<identity.MemberList> {
  const rows = await members.list(workspace_id);
  const people = await users.findMany(rows.map((row) => row.user_id));
  const byId = new Map(people.map((user) => [user._id, user]));
  return {
    members: rows.flatMap((row) => {
      const user = byId.get(row.user_id);
      return user ? [toMemberReply(row, user)] : [];
    }),
  };
}

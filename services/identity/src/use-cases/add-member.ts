import { createEvent } from '@laurel/events';
import type { Session } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import type { RoleName } from '../domain/roles';
import { refusals } from '../refusals';
import { commitMembership } from './commit-membership';
import { requireStill } from './require-still';

/** Makes a user a member; one who is already stays as they are. */
export async function addMember(
  deps: Deps,
  { workspace_id: workspaceId, user_id, role, caller_id: callerId }: identity.AddMemberRequest,
): Promise<identity.AddMemberReply> {
  const { users, workspaces, members } = deps;
  if (!(await users.find(user_id))) throw refusals.unknownUser();
  return commitMembership(deps, user_id, async (session) => {
    if (callerId !== undefined) {
      await workspaces.lockMembers(workspaceId, session);
      await requireStill(deps, { workspaceId, callerId, permission: 'manage_members' }, session);
    }
    const added = await join(
      deps,
      { workspaceId, userId: user_id, role: role as RoleName },
      session,
    );
    const member = added ? null : await members.find(workspaceId, user_id, session);
    const result = { user_id, role: member?.role ?? role, already_member: !added };
    return { result, hasJoined: added };
  });
}

/** Puts a user into a workspace, in the transaction of a `commitMembership`; false when they are in it already. */
export async function join(
  { workspaces, members, outbox, clock }: Deps,
  { workspaceId, userId, role }: { workspaceId: string; userId: string; role: RoleName },
  session: Session,
): Promise<boolean> {
  await workspaces.lockMembers(workspaceId, session);
  const added = await members.insert(workspaceId, { userId, role, now: clock.now() }, session);
  if (!added) return false;
  const event = createEvent('identity.member_added', {
    workspaceId,
    subject: userId,
    data: { workspace_id: workspaceId, user_id: userId, role },
  });
  await outbox.append([event], session);
  return true;
}

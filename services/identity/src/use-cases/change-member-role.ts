import { createEvent } from '@laurel/events';
import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { type RoleName, roleOf } from '../domain/roles';
import { refusals } from '../refusals';
import { memberKeys } from './member-keys';
import { requireAdminLeft, requireStill } from './require-still';
import { revokeFound } from './revoke-found';

/**
 * Gives a member another role. Two admins demoting each other at once leave one of them. Open invitations of who may invite
 * no more end: one of them may make its sender an admin again, under another address.
 */
export async function changeMemberRole(
  deps: Deps,
  { workspace_id, user_id, role, caller_id }: identity.ChangeMemberRoleRequest,
): Promise<identity.MemberRole> {
  const { connection, outbox, workspaces, members, invitations } = deps;
  if (user_id === caller_id) throw refusals.notYourself({ values: { verb: 'change the role of' } });
  const next = role as RoleName;
  const permission = 'manage_members' as const;
  const asked = { workspaceId: workspace_id, callerId: caller_id, permission } as const;
  const look = () => memberKeys(deps, workspace_id, user_id);
  return revokeFound(deps, look, () =>
    unitOfWork(connection, async (session) => {
      const workspace = await workspaces.lockMembers(workspace_id, session);
      await requireStill(deps, asked, session);
      const member = await members.find(workspace_id, user_id, session);
      if (!member) throw refusals.memberNotFound();
      const { id: role_id, permissions } = roleOf(workspace_id, next);
      const reply = {
        role: next,
        role_id,
        is_creator: workspace.creator_id === user_id,
      };
      if (member.role === next) return reply;
      await members.setRole(workspace_id, user_id, { role: next, session });
      await requireAdminLeft(deps, workspace_id, session);
      if (!permissions.includes('invite_users'))
        await invitations.revokeOfInviter(user_id, { workspaceId: workspace_id, session });
      const data = { workspace_id, user_id, role: next, previous_role: member.role };
      await outbox.append(
        [
          createEvent('identity.member_role_changed', {
            workspaceId: workspace_id,
            subject: user_id,
            data,
          }),
        ],
        session,
      );
      return reply;
    }),
  );
}

import { createEvent } from '@laurel/events';
import { unitOfWork } from '@laurel/mongo';
import type { identity } from '@laurel/rpc';
import type { Deps } from '../deps';
import { refusals } from '../refusals';
import { memberKeys } from './member-keys';
import { requireAdminLeft, requireStill } from './require-still';
import { revokeFound } from './revoke-found';

/**
 * Takes a member out of a workspace; they are strangers there from the next request on. Their open invitations end, one of
 * which may be to an address of their own.
 */
export async function removeMember(
  deps: Deps,
  { workspace_id, user_id, caller_id }: identity.RemoveMemberRequest,
): Promise<Record<string, never>> {
  const { connection, outbox, workspaces, members, invitations } = deps;
  if (user_id === caller_id) throw refusals.notYourself({ values: { verb: 'remove' } });
  const permission = 'remove_members' as const;
  const asked = { workspaceId: workspace_id, callerId: caller_id, permission } as const;
  const look = () => memberKeys(deps, workspace_id, user_id);
  return revokeFound(deps, look, () =>
    unitOfWork(connection, async (session) => {
      const workspace = await workspaces.lockMembers(workspace_id, session);
      await requireStill(deps, asked, session);
      const member = await members.find(workspace_id, user_id, session);
      if (!member) throw refusals.memberNotFound();
      if (workspace.creator_id === user_id) throw refusals.notTheCreator();
      await members.remove(workspace_id, user_id, session);
      await requireAdminLeft(deps, workspace_id, session);
      await invitations.revokeOfInviter(user_id, { workspaceId: workspace_id, session });
      const event = createEvent('identity.member_removed', {
        workspaceId: workspace_id,
        subject: user_id,
        data: { workspace_id, user_id, role: member.role },
      });
      await outbox.append([event], session);
      return {};
    }),
  );
}
